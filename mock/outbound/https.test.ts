import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { generate } from 'selfsigned';
import { expect, onTestFinished, test } from 'vitest';
import { TestReceiver } from '../testing/receiver-fixture.ts';
import { NOTIFIED, shopOf } from '../testing/shop-fixture.ts';
import { verifySignature } from './signature.ts';

const root = join(import.meta.dirname, '../..');

async function certificate() {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  });
  return { cert, key };
}

/** The command in its own process, which trusts the certificate through NODE_EXTRA_CA_CERTS. */
async function mockThatTrusts(cert: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'giftcard-sandbox-https-'));
  const file = join(folder, 'receiver.pem');
  await writeFile(file, cert);
  const child = spawn(process.execPath, ['--import', 'tsx', 'cli/main.ts', 'mock', '--port', '0', '--quiet'], {
    cwd: root,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    if (child.kill()) await gone;
    await rm(folder, { recursive: true });
  });
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error('The mock ended before it said where it listens.');
}

test('delivery.signed-with-token: over HTTPS, to a receiver whose certificate is trusted', { timeout: 60_000 }, async () => {
  const { cert, key } = await certificate();
  const receiver = await TestReceiver.start({ cert, key });
  const url = await mockThatTrusts(cert);
  const post = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'x-api-key': 'sandbox-key-main-not-a-real-key', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await post('/api/Webhook/Create', { url: receiver.url, requestHeaderVerificationToken: 'secret' })).status).toBe(200);
  expect((await post('/api/GiftCard/Create', { balance: 25, ...NOTIFIED })).status).toBe(200);
  await receiver.arrived(1);
  const [{ bytes, headers }] = receiver.received as [(typeof receiver.received)[number]];
  expect(receiver.topics).toEqual(['giftcard/updated']);
  expect(verifySignature(bytes, headers['hmac-signature-sha256'] as string, 'secret')).toBe(true);
});

test('delivery.failure: a certificate that is not trusted', async () => {
  const receiver = await TestReceiver.start(await certificate());
  const { create, sandbox, account, register } = await shopOf();
  const id = register(receiver.url);
  create(NOTIFIED);
  await sandbox.settled();
  expect(receiver.received).toEqual([]);
  const delivery = account.effects.deliveries.all().find(({ webhookId }) => webhookId === id);
  expect(delivery).toMatchObject({ state: 'failed', result: { error: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
});
