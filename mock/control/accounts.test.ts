import { expect, test } from 'vitest';
import { Sandbox } from '../account/sandbox.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import { silent } from '../server/log.ts';
import { sandboxOf } from '../testing/fixture.ts';
import { readDescription, worldOf } from '../world/read.ts';
import { handleControl } from './control.ts';

const GUARD = { hosts: [], token: undefined };

/** Adds an account through the control API of a sandbox. */
async function added(sandbox: Sandbox, description?: object) {
  const body = description && Buffer.from(JSON.stringify(description));
  const request: ServiceRequest = { method: 'POST', target: '/__mock/accounts', headers: { host: 'localhost' }, body };
  const response = await handleControl(sandbox, request, GUARD);
  return { status: response.status, body: JSON.parse(String(response.body)) };
}

test('there is an end to how many accounts can be made, and a reset is the way out', async () => {
  const { sandbox } = sandboxOf();
  const [account] = sandbox.accounts.values();
  // The same account gets many names, because creating so many accounts would take seconds.
  for (let i = 1; account && sandbox.accounts.size < 9_999; i++) sandbox.accounts.set(`filled-${i}`, account);
  expect((await added(sandbox)).status).toBe(201);
  const refused = await added(sandbox);
  expect([refused.status, refused.body.error]).toEqual([409, expect.stringMatching(/10000 accounts.*limit.*reset/)]);
  sandbox.reset();
  expect((await added(sandbox)).status).toBe(201);
  expect(sandbox.defects).toEqual([]);
});

test.each([
  ['like the default', undefined],
  ['as described', { id: 'mine', sampleCards: 2 }],
])('a reset drops an account whose creation began before: %s', async (_, description) => {
  const { sandbox } = sandboxOf();
  const pending = added(sandbox, description);
  sandbox.reset();
  expect(await pending).toMatchObject({ status: 409, body: { error: expect.stringContaining('reset') } });
  expect([...sandbox.accounts.keys()]).toEqual(['main']);
});

test('the sandbox and the control API refuse with the same sentence', async () => {
  const sandbox = new Sandbox({ world: worldOf({ accounts: [{}] }), seed: 1, log: silent });
  const same = readDescription({}, 'main');
  const error = 'The account main already exists; choose another ID.';
  expect(() => sandbox.add(same)).toThrow(error);
  expect(await added(sandbox, { id: 'main' })).toMatchObject({ status: 409, body: { error } });
});

test('what is kept has an end, by number and by bytes, and the account says how much it has dropped', async () => {
  const { sandbox, create } = sandboxOf();
  for (let i = 0; i < 5_100; i++) create();
  const gift = { buyerName: 'Ben', recipientName: 'Rita', recipientEmailAddress: 'rita@example.com' };
  const long = { ...gift, shouldSendNotification: true, sendAsGift: true, giftMessage: 'x'.repeat(1_000_000) };
  for (let i = 0; i < 10; i++) create(long);
  await sandbox.settled();
  const request: ServiceRequest = {
    method: 'GET',
    target: '/__mock/accounts/main',
    headers: { host: 'localhost' },
    body: undefined,
  };
  const { dropped } = JSON.parse(String((await handleControl(sandbox, request, GUARD)).body));
  expect(dropped).toEqual({ outbox: 6, deliveries: 0, suppressed: expect.any(Number) });
  expect(dropped.suppressed).toBeGreaterThanOrEqual(200);
});
