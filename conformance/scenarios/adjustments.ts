import { targetNow } from '../core/clock.ts';
import { adjustmentCardField, hints } from '../core/endpoints.ts';
import { expectSuccess, isRefusal, isSuccess } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import type { TargetResponse } from '../http/exchange.ts';
import type { TargetRequest } from '../safety/effects.ts';
import { Untested } from '../safety/policy.ts';
import { balanceOf, createdCard, fieldNames, getByCode, type TestCard, tryCreate, withKey } from './cards.ts';
import { orUndefined } from './controls.ts';
import { amountText } from './currency.ts';
import { balanceCard, mutableCard, mutableCreate } from './shared-cards.ts';

type AdjustmentFields = { [field in 'notes' | 'actionedAtUtc' | 'uniqueAdjustmentId']?: string | undefined };

export type Adjust = (
  t: Trial,
  on: Pick<TestCard, 'code' | 'id'>,
  amount: number,
  fields?: AdjustmentFields,
  key?: string,
) => Promise<TargetResponse>;

export const adjustment = { method: 'POST', path: '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode' } as const;
const adjustmentById = { method: 'POST', path: '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId' } as const;

export const adjustByCode: Adjust = (t, on, ...change) =>
  adjust(t, `${on.code} by code`, { ...adjustment, named: { giftCardCode: on.code } }, ...change);

/** Adjusts a card by ID. Throws Untested `fact-missing` if the run does not find the name of the body field for the card's ID. */
export const adjustById: Adjust = async (t, on, ...change) =>
  adjust(t, `${on.code} by ID`, { ...adjustmentById, named: { [await cardIdField(t)]: on.id } }, ...change);

async function adjust(
  t: Trial,
  what: string,
  { named, ...endpoint }: TargetRequest & { named: object },
  amount: number,
  fields: AdjustmentFields = {},
  key?: string,
): Promise<TargetResponse> {
  const body = { ...adjustmentBody(t, named, amount, await adjustmentTime(t)), ...fields };
  const change = [`${amount < 0 ? '' : '+'}${amountText(t, amount, key)}`, ...fieldNames({ ...fields })];
  return t.send(`adjust ${what} (${change.join(', ')})`, { ...endpoint, body, ...withKey(key) });
}

export function adjustmentBody(t: Trial, named: object, adjustmentAmount: number, actionedAtUtc: string) {
  const uniqueAdjustmentId = t.run.ledger.unique('GCS-A');
  return { ...named, adjustmentAmount, notes: 'conformance', actionedAtUtc, uniqueAdjustmentId };
}

/** Reports whether the target accepts an adjustment with a time before the creation of the card. A run that changes nothing does not send one. */
export const acceptsPast = async (t: Trial): Promise<boolean> =>
  !t.isReadOnly &&
  t.shared('adjustment from before the card was created', async (shared) => {
    const { code } = await balanceCard(shared);
    const body = adjustmentBody(shared, { giftCardCode: code }, 0.25, '2011-04-05T06:07:08.000Z');
    const { status } = await shared.send(`adjust ${code} by code (+0.25, years ago)`, { ...adjustment, body });
    return !isRefusal(status);
  });

/** Returns the time of ten minutes ago on the target's clock. If the target rejects times before the creation of the card, returns the present time. */
export const adjustmentTime = async (t: Trial): Promise<string> =>
  new Date(targetNow(t) - ((await acceptsPast(t)) ? 600_000 : 0)).toISOString();

const likelyFields = [
  ...['giftCardId', 'id', 'cardId', 'giftCardID', 'GiftCardId', 'giftcardId', 'giftCard', 'giftCardGuid', 'serviceId'],
];

/** Finds the name of the body field for the card's ID in an adjustment by ID. Tries likely names until an adjustment changes the balance. */
export async function cardIdField(t: Trial): Promise<string> {
  const field = await t.shared('the body field that names the card by ID', async (shared) => {
    const on = await balanceCard(shared);
    // The first call adjusts this card, so the call must come before the balance is read.
    const actionedAtUtc = await adjustmentTime(shared);
    const before = await balanceOf(shared, on.code);
    const fromVariant = (shared.run.target.overrides ?? []).flatMap((row) =>
      'rename' in row && row.rename === adjustmentCardField ? [row.to] : [],
    );
    const statuses = new Set<number>();
    for (const candidate of new Set([...fromVariant, ...likelyFields])) {
      const body = adjustmentBody(shared, { [candidate]: on.id }, 0.1, actionedAtUtc);
      const response = await shared.send(`adjust ${on.name} by ID, in the field ${candidate}`, { ...adjustmentById, body });
      if (isSuccess(response) && (await balanceOf(shared, on.code)) > before + 0.05) return candidate;
      statuses.add(response.status);
    }
    const seen = `POST ${adjustmentById.path} returned ${[...statuses].join(' or ')}`;
    if ([...statuses].every((status) => status >= 500)) throw new Blocked(`adjusting by ID: ${seen}`);
    const tried = `the body field for the ID is none of ${likelyFields.join(', ')}`;
    throw new Untested('fact-missing', `${seen}: ${tried}; ${hints[`POST ${adjustmentById.path}`]}`);
  });
  t.assumes('names.adjustment-by-id', field);
  return field;
}

/** Returns the adjustment functions that the run can use. If the run does not find the name of the body field for the card's ID, returns only `adjustByCode`. */
export const adjustFunctions = async (t: Trial): Promise<Adjust[]> =>
  (await orUndefined(cardIdField(t))) === undefined ? [adjustByCode] : [adjustByCode, adjustById];

/** Adjusts a card. Throws Blocked if the target rejects the adjustment. */
export async function mustAdjust(t: Trial, on: TestCard, amount: number): Promise<void> {
  mustSucceed(await adjustByCode(t, on, amount), `adjusting ${on.name}`);
}

/** Returns a card with this balance for tests of overdrafts. Throws Blocked if the target rejects an adjustment by code. */
export async function cardWithBalance(t: Trial, balance: number): Promise<TestCard> {
  // This call may search for the body field, which changes the balance of the same card. So the call must come before the balance is read.
  await adjustFunctions(t);
  const on = await balanceCard(t);
  const difference = Math.round((balance - (await balanceOf(t, on.code))) * 100) / 100;
  if (difference !== 0) await mustAdjust(t, on, difference);
  return on;
}

export const sendHistory = (t: Trial, code: string, key?: string): Promise<TargetResponse> =>
  getHistory(t, `ListAdjustmentsByGiftCardCode/${encodeURIComponent(code)}`, `history of ${code} by code`, key);

export const sendHistoryById = (t: Trial, id: string | number, key?: string): Promise<TargetResponse> =>
  getHistory(t, `ListAdjustmentsByGiftCardId/${encodeURIComponent(id)}`, 'history of a card by ID', key);

const getHistory = (t: Trial, path: string, what: string, key?: string) =>
  t.send(what, { method: 'GET', path: `/api/GiftCardAdjustment/${path}`, ...withKey(key) });

/** Creates a card with a taken code. Returns the response, and look-ups of the first card before and after. */
export const takenCode = (t: Trial): Promise<{ response: TargetResponse; before: number; found: TargetResponse }> =>
  t.shared('create with a taken code', async (shared) => {
    const { code } = createdCard(await mutableCreate(shared));
    const before = await balanceOf(shared, code);
    const { response } = await tryCreate(shared, { balance: 1.25, code });
    return { response, before, found: await getByCode(shared, code) };
  });

export const withoutActionedAt = (t: Trial): Promise<TargetResponse> =>
  t.shared('adjustment without actionedAtUtc', async (shared) =>
    adjustByCode(shared, await mutableCard(shared), 0.25, { actionedAtUtc: undefined }),
  );

/** Returns the body of a valid top-up by 0.25. */
export const topUp = async (t: Trial, on: Pick<TestCard, 'code'>) =>
  adjustmentBody(t, { giftCardCode: on.code }, 0.25, await adjustmentTime(t));

/** Returns a card for malformed adjustments. The control is a valid adjustment of the card. */
export async function adjustableCard(t: Trial): Promise<TestCard> {
  const on = await mutableCard(t);
  await t.control('a valid adjustment', async () => expectSuccess(await adjustByCode(t, on, 0.25), 'the adjustment'));
  return on;
}

/** Sends an adjustment that violates the contract on purpose. */
export const oddAdjustment = (t: Trial, how: string, request: Pick<TargetRequest, 'body' | 'text'>): Promise<TargetResponse> =>
  t.send(`adjust with ${how}`, { ...adjustment, odd: true, ...request });
