import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startMock } from 'giftcard-sandbox';

/** The sandbox runs inside the process of the tests. It needs no port. */
let sandbox;
before(async () => {
  sandbox = await startMock({ listen: false });
});
after(() => sandbox.close());

test('a card expires at its expiry time', async () => {
  const account = await sandbox.createAccount();
  await account.clock.freeze('2030-01-01T00:00:00Z');
  const response = await account.fetch('/api/GiftCard/Create', {
    method: 'POST',
    body: JSON.stringify({ balance: 25, code: 'SHORT-1', expiresAtUtc: '2030-01-31T00:00:00Z' }),
  });
  assert.equal(response.status, 200);

  const { events } = await account.clock.advance({ to: '2030-02-01T00:00:00Z' });
  assert.deepEqual(
    events.map(({ what, code, atUtc }) => [what, code, atUtc]),
    [['expiry', 'SHORT-1', '2030-01-31T00:00:00.000Z']],
  );
  const card = await (await account.fetch('/api/GiftCard/GetByCode/SHORT-1')).json();
  assert.equal(card.status, 'Expired');
});

test('the mock lists an email that it did not send, with the reason', async () => {
  const account = await sandbox.createAccount();
  await account.fetch('/api/GiftCard/Create', { method: 'POST', body: JSON.stringify({ balance: 25, code: 'QUIET-1' }) });
  const [email] = await account.suppressed.list();
  assert.equal(email.what, 'email');
  assert.equal(email.rule, 'emails.none-by-default');
});
