import { expect, test } from 'vitest';
import { UnusableInput } from '../../../openapi/input/unusable-input.ts';
import { withoutPause } from '../../account/clock.ts';
import { handleControl } from '../../control/control.ts';
import { setFault } from '../../control/faults.ts';
import { controlOperations } from '../../control/operations.ts';
import { NOON } from '../../testing/fixture.ts';
import { NOTIFIED, type Shop, shopOf } from '../../testing/shop-fixture.ts';
import { capture } from './capture.ts';
import { restoreAccount } from './restore.ts';

/** These tests replace each value of a snapshot by odd values, one after another. */

const ODD = [undefined, null, 'zzz', -7.5, 1e15, []];
/** The operations that read an account, except the behaviors, because their document is long. */
const READS = controlOperations.filter(
  ({ id, method, path }) => method === 'GET' && path.includes('{account}') && id !== 'getBehaviorsOfAccount',
);
const KEY = 'key-main';

/** Returns an account with a record of every kind. */
async function account(): Promise<Shop & { readonly card: string }> {
  const shop = await shopOf(
    {
      keys: [{ key: KEY }, { key: 'key-gone', deleted: true }],
      channels: [{ id: 'online' }, { id: 'till', acceptsCodes: '[0-9]+' }],
      automations: [{ name: 'Welcome', eventName: 'signup', amount: 5, usageLimit: 2 }],
      coupons: [{ code: 'SAVE', discountType: 'Percentage', discountValue: 10 }],
      reminderAfterDays: 5,
      defaultExpiryDays: 50,
    },
    { requestHeaderVerificationToken: 'secret' },
  );
  const { account: made, sandbox, create, send, receiver } = shop;
  setFault({ account: made, body: { fault: 'delay', milliseconds: 1, operation: 'addAdjustmentByGiftCardCode', first: 1 } });
  setFault({ account: made, body: { fault: 'wrong-signature', first: 1 } });
  const { id: card } = create({ code: 'RICH', uniqueId: 'one', ...NOTIFIED, expiresAtUtc: new Date(NOON + 9e8).toISOString() });
  const event = { event_name: 'signup', recipient_email: 'a@example.com', idempotency_key: 'k', properties: { p: 'v' } };
  send('POST', '/api/AutomationTriggerEvents', event, KEY);
  shop.adjust('RICH', -5);
  send('GET', '/api/GiftCard/List?pageSize=none', undefined, KEY);
  await sandbox.settled();
  create({ ...NOTIFIED, code: '11' });
  await sandbox.settled();
  // The delivery of card 12 is running, and the delivery of card 13 waits in the queue. The effects of card 14 are not sent.
  receiver.respond = () => {};
  for (const code of ['12', '13']) create({ ...NOTIFIED, code });
  await receiver.arrived(receiver.received.length + 1);
  create({ ...NOTIFIED, code: '14' });
  return { ...shop, card };
}

type Path = readonly (string | number)[];

/** Returns the path of each value. In lists, returns only the first and the last element. */
function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  const steps = Array.isArray(value) ? [...new Set([0, value.length - 1])].filter((n) => n in value) : Object.keys(value);
  for (const step of steps) yield* pathsIn((value as Record<string | number, unknown>)[step], [...path, step]);
}

function tampered(snapshot: object, path: Path, odd: unknown): object {
  const copy = structuredClone(snapshot);
  const last = path.at(-1) as string;
  const holder = path.slice(0, -1).reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], copy);
  if (odd !== undefined) (holder as Record<string, unknown>)[last] = odd;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete (holder as Record<string, unknown>)[last];
  return copy;
}

test('a snapshot with any value replaced: a sentence, or an account that works', async () => {
  const { sandbox, send, account: made, card } = await account();
  const snapshot = JSON.parse(JSON.stringify(withoutPause(capture(sandbox, made))));
  const headers = { host: '127.0.0.1' };
  const read = async (template: string) => {
    const target = template.replace('{account}', 'main').replace('{card}', card).replace('{number}', '2');
    const { status } = await handleControl(
      sandbox,
      { method: 'GET', target, headers, body: undefined },
      { hosts: [], token: undefined },
    );
    return status >= 500 ? [`${target}: ${status}`] : [];
  };
  const wrong: string[] = [];
  const seen = { refused: 0, taken: 0 };
  for (const path of pathsIn(snapshot)) {
    for (const odd of ODD) {
      const where = `${path.join('.')} = ${JSON.stringify(odd)}`;
      try {
        const back = await restoreAccount(sandbox, 'main', tampered(snapshot, path, odd));
        seen.taken++;
        const found = (await Promise.all(READS.map((each) => read(each.path)))).flat();
        for (const each of ['GiftCard/List?includeAll=true', 'Webhook/List', 'WebStoreCoupon/List', 'Company/Profile'])
          if (send('GET', `/api/${each}`, undefined, KEY).status >= 500) found.push(each);
        await back.effects.left();
        wrong.push(...[...found, ...sandbox.defects.splice(0)].map((each) => `${where}: ${each}`));
      } catch (error) {
        seen.refused++;
        if (!(error instanceof UnusableInput)) wrong.push(`${where}: ${(error as Error).stack}`);
        else if (!/^(The|This) .+\.$/.test(error.message)) wrong.push(`${where}: ${error.message}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(seen.refused).toBeGreaterThan(seen.taken);
});
