import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { at, instantOf, issueTime, leaves } from '../http/structure.ts';
import { type Card, card } from './cards.ts';
import { voidedDelivery } from './one-delivery.ts';
import { fullCard, plainFields } from './shared-cards.ts';

/** Where a card shows its expiry, found by one that was given. Untested `fact-missing` when it is not shown. */
export async function expiryAt(t: Trial): Promise<string> {
  const wanted = instantOf(plainFields.expiresAtUtc);
  const path = leaves((await fullCard(t)).answer.json).find(({ value }) => instantOf(value) === wanted)?.path;
  if (path === undefined) throw new Untested('fact-missing', 'no property of a card shows the expiry that it was given');
  return path;
}

/** When the card expires, as its create showed; undefined when it shows none. */
export async function expiryOf(t: Trial, on: Card): Promise<number | undefined> {
  return instantOf(at(on.answer.json, await expiryAt(t)));
}

/** The same, or where cards do not show it, as the delivery of another card does that was made in the same way, together with the moment of its creation. */
export async function expiryOrDelivered(
  t: Trial,
  on: Card,
  key: string | undefined,
): Promise<{ expires: number | undefined; issued: number | undefined }> {
  try {
    return { expires: await expiryOf(t, on), issued: instantOf(issueTime(on.answer.json)) };
  } catch (error) {
    if (!(error instanceof Untested) || !t.run.receiver) throw error;
    const arrival = await t.shared(`delivery of a card without an expiry, ${key === undefined ? 'here' : 'there'}`, (shared) =>
      voidedDelivery(shared, {}, {}, key),
    );
    if (!arrival) throw error;
    return { expires: instantOf(arrival.payload?.ExpiresAtUtc), issued: instantOf(arrival.payload?.CreatedAt) };
  }
}

/** A card that was created without an expiry on an account that has a default, by the key of that account. */
export function withDefaultExpiry(t: Trial): Promise<{ days: number; key: string | undefined; on: Card }> {
  return withoutExpiry(t, 'a default expiry', (days) => days > 0);
}

/** The same on an account that has none. */
export function withoutDefaultExpiry(t: Trial): Promise<{ days: number; key: string | undefined; on: Card }> {
  return withoutExpiry(t, 'no default expiry', (days) => days === 0);
}

function withoutExpiry(t: Trial, wanted: string, isWanted: (days: number) => boolean) {
  return t.shared(`card of an account with ${wanted}`, async (shared) => {
    const account = accountWith(t, isWanted);
    if (!account)
      throw new Untested(
        'fixture-missing',
        `the profile says of no account that it has ${wanted} (defaultExpiryDays, secondDefaultExpiryDays)`,
      );
    return { ...account, on: await card(shared, { balance: 0.5 }, account.key) };
  });
}

/** The account, by its key, of which the profile says so. */
function accountWith(t: Trial, isWanted: (days: number) => boolean): { key: string | undefined; days: number } | undefined {
  const { defaultExpiryDays, secondDefaultExpiryDays, secondKey } = t.run.profile;
  const accounts = [{ key: undefined, days: defaultExpiryDays }];
  const others = secondKey === undefined ? [] : [{ key: secondKey, days: secondDefaultExpiryDays }];
  for (const { key, days } of [...accounts, ...others]) if (days !== undefined && isWanted(days)) return { key, days };
  return undefined;
}

/** The expiry that a delivery tells of a card which was given one on an account with a default; undefined where there is no such account or delivery. */
export async function givenBesidesDefault(t: Trial, expiresAtUtc: string): Promise<unknown> {
  const account = accountWith(t, (days) => days > 0);
  return account && (await voidedDelivery(t, { expiresAtUtc }, {}, account.key))?.payload?.ExpiresAtUtc;
}
