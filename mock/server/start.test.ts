import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startMock } from '../index.ts';
import { freePort } from '../testing/command-fixture.ts';
import { TestReceiver } from '../testing/receiver-fixture.ts';

let folder = '';
afterEach(() => {
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Makes a state with one queued delivery and one running delivery. */
async function stateWithAWaitingDelivery(receiver: TestReceiver): Promise<string> {
  folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-start-'));
  const state = join(folder, 'state');
  await using mock = await startMock({
    state,
    listen: false,
    world: { accounts: [{ id: 'shop', webhooks: [{ url: receiver.url }] }] },
  });
  const account = await mock.getAccount('shop');
  for (const code of ['A', 'B']) {
    await account.merchant.addCard({ code });
    await account.fetch(`/api/GiftCard/VoidByCode/${code}`, { method: 'DELETE' });
  }
  await receiver.arrived(1);
  expect((await account.deliveries.list()).map((delivery) => delivery.state)).toEqual(['queued', 'queued']);
  return state;
}

test.each([
  [{ state: '' }, 'state must be the path of a folder, got ""; omit state to keep nothing.'],
  [{ state: 5 }, 'state must be the path of a folder, got 5; omit state to keep nothing.'],
  [{ state: 'folder', stateSync: 'always' }, "stateSync must be 'off' or 'commit', with a folder as state, got \"always\"."],
  [{ stateSync: 'commit' }, "stateSync must be 'off' or 'commit', with a folder as state, got \"commit\"."],
  [{ state: 'postgres://h/d', stateSync: 'off' }, "stateSync must be 'off' or 'commit', with a folder as state, got \"off\"."],
])('the options %j: one sentence', async (options, sentence) => {
  await expect(startMock(options as object)).rejects.toThrow(new TypeError(sentence));
});

test('a start that fails sends no delivery of its state and does not open the state', async () => {
  const receiver = await TestReceiver.start();
  receiver.respond = () => undefined;
  const state = await stateWithAWaitingDelivery(receiver);
  receiver.respond = (response) => response.writeHead(204).end();
  const before = readdirSync(state);
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  await expect(startMock({ state, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await new Promise((resolve) => taken.close(resolve));
  expect([receiver.received.length, readdirSync(state)]).toEqual([1, before]);

  await using mock = await startMock({ state });
  await mock.settled();
  expect(receiver.payloads.map(({ Code }) => Code)).toEqual(['A', 'B']);
});

test('a state file that cannot be used ends the start, and no port is open', async () => {
  folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-start-'));
  const state = join(folder, 'state.json');
  writeFileSync(state, '{"no":"state"}');
  const port = await freePort();
  await expect(startMock({ state, port })).rejects.toThrow(/state\.json/);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});
