import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';

const { folder } = inject('packed');

/** Uses the package with require and import, as a command, and with a receiver of webhooks. Prints what it found. */
const smoke = `const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { createServer } = require('node:http');
const { buffer } = require('node:stream/consumers');
const { startMock, SandboxError, verifySignature } = require('giftcard-sandbox');

async function main() {
  const imported = await import('giftcard-sandbox');
  const mock = await startMock();
  const account = await mock.createAccount({ cards: [{ code: 'A', balance: 5 }] });
  const receiver = createServer(async (request, response) => {
    const bytes = await buffer(request);
    response.writeHead(verifySignature(bytes, request.headers['hmac-signature-sha256'], 'token') ? 204 : 401).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = 'http://127.0.0.1:' + receiver.address().port + '/';
  const body = JSON.stringify({ url, requestHeaderVerificationToken: 'token' });
  await account.fetch('/api/Webhook/Create', { method: 'POST', body });
  await account.fetch('/api/GiftCard/VoidByCode/A', { method: 'DELETE' });
  const { result } = await account.deliveries.waitFor({ topic: 'giftcard/voided', state: 'delivered' });
  receiver.close();
  await mock.close();

  const program = spawn(process.execPath, ['node_modules/giftcard-sandbox/dist/cli.js', 'mock', '--port', '0', '--quiet']);
  const [line] = await once(program.stdout, 'data');
  const [base] = String(line).split('\\n');
  const headers = { 'x-api-key': 'sandbox-key-main-not-a-real-key' };
  const created = await fetch(base + '/api/GiftCard/Create', { method: 'POST', headers, body: '{"balance": 5}' });
  program.kill('SIGTERM');
  const [code] = await once(program, 'exit');
  const isOneClass = imported.SandboxError === SandboxError;
  console.log(JSON.stringify({ major: process.versions.node.split('.')[0], isOneClass, result, created: created.status, code }));
}
main();
`;

test.each(['20', '22', '24'])('the package works with Node %s', async (major) => {
  writeFileSync(join(folder, 'smoke.cjs'), smoke);
  const { stdout, stderr } = await promisify(execFile)('npx', ['--yes', '-p', `node@${major}`, '-c', 'node smoke.cjs'], {
    cwd: folder,
  });
  expect(JSON.parse(stdout)).toEqual({ major, isOneClass: true, result: { status: 204 }, created: 200, code: 0 });
  expect(stderr).toBe('');
});
