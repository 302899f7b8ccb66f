import { targetNow } from '../core/clock.ts';
import { adjustmentCardField, hints } from '../core/endpoints.ts';
import { expectSuccess } from '../core/expect.ts';
import { mustSucceed, type Run, type Trial } from '../core/trial.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import type { Answer, Ask } from '../http/exchange.ts';
import { balanceOf, type Card, card, create, fieldNames, withKey } from './cards.ts';
import { amountText } from './currency.ts';
import { mutableCard, repeatedCard } from './shared-cards.ts';

interface AdjustmentFields {
  notes?: string | undefined;
  actionedAtUtc?: string | undefined;
  uniqueAdjustmentId?: string | undefined;
  /** Leaves the amount out. */
  adjustmentAmount?: undefined;
}

/** Adjusts a card by an amount, by code or by ID. */
export type Adjust = (
  t: Trial,
  on: Pick<Card, 'code' | 'id'>,
  amount: number,
  fields?: AdjustmentFields,
  key?: string,
) => Promise<Answer>;

const byIdPath = '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId';

export const byCode: Adjust = (t, on, amount, fields = {}, key) => {
  const path = '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode';
  return adjust(t, { what: `adjust ${on.code} by code`, path, card: { giftCardCode: on.code } }, amount, fields, key);
};

/** The body field that names the card is open: the run finds it first. Untested `fact-missing` if it finds none. */
export const byId: Adjust = async (t, on, amount, fields = {}, key) => {
  const named = { [await cardIdField(t)]: on.id };
  return adjust(t, { what: `adjust ${on.code} by ID`, path: byIdPath, card: named }, amount, fields, key);
};

interface Endpoint {
  readonly what: string;
  readonly path: string;
  /** The body field that names the card. */
  readonly card: object;
}

/**
 * Sends an adjustment from ten minutes ago. Some services accept none from before the card was created, so until the first success a rejected
 * adjustment is sent again with the current time.
 */
async function adjust(t: Trial, endpoint: Endpoint, amount: number, fields: AdjustmentFields, key?: string): Promise<Answer> {
  const answer = await sendAdjustment(t, endpoint, amount, fields, key);
  const choosesTime = !('actionedAtUtc' in fields || 'uniqueAdjustmentId' in fields);
  if (acceptsPast.has(t.run) || !choosesTime) return answer;
  if (answer.status === 200) acceptsPast.set(t.run, true);
  if (![400, 409, 422].includes(answer.status)) return answer;
  const now = { ...fields, actionedAtUtc: new Date(targetNow(t)).toISOString() };
  const again = await sendAdjustment(t, endpoint, amount, now, key);
  if (again.status === 200) acceptsPast.set(t.run, false);
  return again;
}

const acceptsPast = new WeakMap<Run, boolean>();

/** A time that the target accepts for an adjustment. */
export const adjustmentTime = (t: Trial) =>
  new Date(targetNow(t) - (acceptsPast.get(t.run) === false ? 0 : 600_000)).toISOString();

function sendAdjustment(t: Trial, { what, path, card: named }: Endpoint, amount: number, fields: AdjustmentFields, key?: string) {
  const text = [`${amount < 0 ? '' : '+'}${amountText(t, amount, key)}`, ...fieldNames({ ...fields })].join(', ');
  const body = {
    ...named,
    adjustmentAmount: amount,
    notes: 'conformance',
    actionedAtUtc: adjustmentTime(t),
    uniqueAdjustmentId: t.run.ledger.unique('GCS-A'),
    ...fields,
  };
  return t.send(`${what} (${text})`, { method: 'POST', path, body, ...withKey(key) });
}

const likelyFields = [
  ...['giftCardId', 'id', 'giftCardID', 'GiftCardId', 'giftcardId', 'cardId', 'giftCard', 'giftCardGuid', 'serviceId'],
];

/** Finds the body field that names the card in an adjustment by ID: with it, an adjustment changes the balance. */
export async function cardIdField(t: Trial): Promise<string> {
  const field = await t.shared('the body field that names the card by ID', async (shared) => {
    const on = await overdrawnCard(shared);
    // Shows which time the target accepts.
    await byCode(shared, on, 0.1);
    const before = await balanceOf(shared, on.code);
    const fromVariant = (shared.run.target.overrides ?? []).flatMap((row) =>
      'rename' in row && row.rename === adjustmentCardField ? [row.to] : [],
    );
    const statuses = new Set<number>();
    for (const candidate of new Set([...fromVariant, ...likelyFields])) {
      const endpoint = { what: `adjust ${on.name} by ID, named as ${candidate}`, path: byIdPath, card: { [candidate]: on.id } };
      const { status } = await sendAdjustment(shared, endpoint, 0.1, {});
      if (status === 200 && (await balanceOf(shared, on.code)) > before + 0.05) return candidate;
      statuses.add(status);
    }
    throw noFieldFound([...statuses]);
  });
  t.assumes('names.adjustment-by-id', field);
  return field;
}

function noFieldFound(statuses: readonly number[]): Error {
  const answered = `POST ${byIdPath} answered ${statuses.join(' or ')}`;
  // A service that works does not fail for every name.
  if (statuses.every((status) => status >= 500))
    return new Blocked(`adjusting by ID: ${answered} for every field that names the card`);
  const tried = `Tried ${likelyFields.join(', ')}; ${hints[`POST ${byIdPath}`]}`;
  const isAbsent = statuses.every((status) => status === 404 || status === 405);
  return new Untested(
    'fact-missing',
    isAbsent
      ? `${answered}: it is missing, or no tried field names the card. ${tried}`
      : `no body field names the card. ${tried}`,
  );
}

/** The adjustment endpoints that the run can use: by code, and by ID if its field was found. */
export async function adjustFunctions(t: Trial): Promise<Adjust[]> {
  try {
    await cardIdField(t);
    return [byCode, byId];
  } catch (error) {
    // Other clauses report this.
    if (error instanceof Blocked || (error instanceof Untested && error.reason === 'fact-missing')) return [byCode];
    throw error;
  }
}

/** Adjusts a card. Blocked if the target rejects that. */
export async function mustAdjust(t: Trial, on: Card, amount: number): Promise<void> {
  mustSucceed(await byCode(t, on, amount), `adjusting ${on.name}`);
}

/** A card with this balance, to test redemptions that are larger. Blocked if adjusting it by code fails. */
export async function cardWithBalance(t: Trial, balance: number): Promise<Card> {
  // The search for the field uses the same card.
  await adjustFunctions(t);
  const on = await overdrawnCard(t);
  const difference = Math.round((balance - (await balanceOf(t, on.code))) * 100) / 100;
  if (difference !== 0) await mustAdjust(t, on, difference);
  return on;
}

const overdrawnCard = (t: Trial): Promise<Card> => t.shared('card for overdrafts', (shared) => card(shared));

/** A card that is fully redeemed. */
export function redeemedCard(t: Trial): Promise<Card> {
  return t.shared('redeemed card', async (shared) => {
    const on = await card(shared);
    await mustAdjust(shared, on, -1);
    return on;
  });
}

export const history = (t: Trial, code: string, key?: string): Promise<Answer> =>
  getHistory(t, `ListAdjustmentsByGiftCardCode/${encodeURIComponent(code)}`, `history of ${code} by code`, key);

export const historyById = (t: Trial, id: string | number, key?: string): Promise<Answer> =>
  getHistory(t, `ListAdjustmentsByGiftCardId/${encodeURIComponent(id)}`, 'history of a card by ID', key);

const getHistory = (t: Trial, path: string, what: string, key?: string) =>
  t.send(what, { method: 'GET', path: `/api/GiftCardAdjustment/${path}`, ...withKey(key) });

/** Requests that a target rejects, or may reject. Most are adjustments of one card, because these cost nothing. */

export const takenCode = (t: Trial): Promise<Answer> =>
  t.shared('create with a taken code', async (shared) => {
    const { code } = await repeatedCard(shared);
    return (await create(shared, { balance: 0.5, code })).answer;
  });

export const withoutActionedAt = (t: Trial): Promise<Answer> =>
  t.shared('adjustment without actionedAtUtc', async (shared) =>
    byCode(shared, await mutableCard(shared), 0.25, { actionedAtUtc: undefined }),
  );

export const adjustment = { method: 'POST', path: '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode' } as const;

/** The body of a valid top-up by 0.25. */
export function topUp(t: Trial, on: Pick<Card, 'code'>): Record<string, unknown> {
  return {
    giftCardCode: on.code,
    adjustmentAmount: 0.25,
    notes: 'conformance',
    actionedAtUtc: adjustmentTime(t),
    uniqueAdjustmentId: t.run.ledger.unique('GCS-A'),
  };
}

/** The card of these adjustments. A valid adjustment of it is their control. */
export async function adjustableCard(t: Trial): Promise<Card> {
  return t.control('a valid adjustment', () =>
    t.shared('card with a valid adjustment', async (shared) => {
      const on = await mutableCard(shared);
      expectSuccess(await byCode(shared, on, 0.25), 'it');
      return on;
    }),
  );
}

/** Sends an adjustment that differs from the contract on purpose. */
export function oddAdjustment(t: Trial, how: string, ask: Pick<Ask, 'body' | 'text'>): Promise<Answer> {
  return t.send(`adjust with ${how}`, { ...adjustment, odd: true, ...ask });
}

/** The history of the card, in which a test finds things by their value. */
export const historyOf = async (t: Trial, on: Card): Promise<unknown> =>
  mustSucceed(await history(t, on.code), 'reading the history').json;
