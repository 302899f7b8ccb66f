import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../index.ts';
import { listen } from '../server/http.ts';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import { handleControl } from './control.ts';

test('a snapshot goes out of one mock and into another as JSON, also a large one', async () => {
  await using one = await startMock({
    seed: 1,
    world: { accounts: [{ keys: [{ key: 'mine' }], sampleCards: 2000 }] },
  });
  await using other = await startMock({ listen: false, seed: 2 });
  const taken = await one.fetch('/__mock/accounts/main/snapshot');
  expect(taken.headers.get('content-type')).toBe('application/vnd.giftcard-sandbox.snapshot+json; charset=utf-8');
  const text = await taken.text();
  expect(text.length).toBeGreaterThan(1024 * 1024);
  const overSocket = await (await fetch(`${one.url}/__mock/accounts/main/snapshot`)).text();
  expect(JSON.parse(overSocket).records).toEqual(JSON.parse(text).records);
  const put = await other.fetch('/__mock/accounts/main/snapshot', { method: 'PUT', body: text });
  expect(put.status).toBe(200);
  const list = await other.fetch('/api/GiftCard/List', { headers: { 'x-api-key': 'mine' } });
  expect(await list.json()).toMatchObject({ totalCount: 2000 });
  const wrong = await other.fetch('/__mock/snapshot', { method: 'PUT', body: text });
  expect([wrong.status, await wrong.json()]).toEqual([409, { error: expect.stringMatching(/not a snapshot of all accounts/) }]);
});

test('an error while a snapshot is sent is a defect, and cuts the response off; a client that leaves is not a defect', async () => {
  const { sandbox, account, create } = sandboxOf();
  for (let card = 0; card < 20; card++) create({ recipientName: 'x'.repeat(500_000) });
  const guard = { hosts: [], token: undefined };
  const handler = async (request: Parameters<typeof handleControl>[1]) => ({
    response: await handleControl(sandbox, request, guard),
    at: NOON,
  });
  const listener = await listen(handler, () => 0, '127.0.0.1', 0);
  onTestFinished(() => listener.close());
  const send = () => fetch(`http://127.0.0.1:${listener.port}/__mock/accounts/${account.id}/snapshot`);
  await (await send()).body?.cancel();
  expect((await (await send()).text()).length).toBeGreaterThan(8 * 1024 * 1024);
  expect(sandbox.defects).toEqual([]);
  account.clock.scheduler.restore({ planned: [{ at: 1n as unknown as number, kind: 'expiry', cardId: '' }] });
  const { status, body } = await send();
  expect(status).toBe(200);
  await expect(body?.pipeTo(new WritableStream())).rejects.toThrow('terminated');
  expect(sandbox.defects).toEqual([expect.stringMatching(/^GET .*snapshot: .*BigInt/)]);
});
