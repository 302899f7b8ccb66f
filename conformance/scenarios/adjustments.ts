import { nowThere } from '../core/clock.ts';
import { cardField, waysOut } from '../core/hints.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { balanceOf } from './card-requests.ts';
import { type Card, card, fieldsTold } from './cards.ts';
import { told } from './money.ts';

interface AdjustmentFields {
  notes?: string | undefined;
  actionedAtUtc?: string | undefined;
  uniqueAdjustmentId?: string | undefined;
  /** In place of the amount. */
  adjustmentAmount?: undefined;
}

/** A function that books an amount on a card, by code or by ID. */
export type Adjust = (
  t: Trial,
  on: Pick<Card, 'code' | 'id'>,
  amount: number,
  fields?: AdjustmentFields,
  key?: string,
) => Promise<Answer>;

export const byCode: Adjust = (t, on, amount, fields = {}, key) =>
  taking(t, fields, () =>
    t.send(`adjust ${on.code} by code (${askedTold(t, amount, fields, key)})`, {
      method: 'POST',
      path: '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode',
      body: { giftCardCode: on.code, ...adjustmentBody(t, amount, fields) },
      ...(key === undefined ? {} : { key }),
    }),
  );

/** The body field that names the card is open: it is found first, and then used. Untested `fact-missing` when none is found. */
export const byId: Adjust = async (t, on, amount, fields = {}, key) => {
  const field = await cardIdField(t);
  return t.send(`adjust ${on.code} by ID (${askedTold(t, amount, fields, key)})`, byIdAsk(t, field, on.id, amount, fields, key));
};

const byIdPath = '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId';

function byIdAsk(t: Trial, field: string, id: string | number, amount: number, fields: AdjustmentFields, key?: string) {
  return {
    method: 'POST' as const,
    path: byIdPath,
    body: { [field]: id, ...adjustmentBody(t, amount, fields) },
    ...(key === undefined ? {} : { key }),
  };
}

const askedTold = (t: Trial, amount: number, fields: AdjustmentFields, key?: string) =>
  [`${amount < 0 ? '' : '+'}${told(t, amount, key)}`, ...fieldsTold({ ...fields })].join(', ');

function adjustmentBody(t: Trial, amount: number, fields: AdjustmentFields) {
  return {
    adjustmentAmount: amount,
    notes: 'conformance',
    actionedAtUtc: shortlyBefore(t),
    uniqueAdjustmentId: t.run.ledger.unique('GCS-A'),
    ...fields,
  };
}

/**
 * When adjustments of the run have happened: a target whose clock is behind may refuse what is still to come there, and another what was before the
 * card, so that the first refusal is asked about.
 */
export const shortlyBefore = (t: Trial) => new Date(nowThere(t) - (moments.get(t.run) === 'now' ? 0 : 600_000)).toISOString();

const moments = new WeakMap<Trial['run'], 'any' | 'now'>();

/** Sends an adjustment, and once more where it was refused for nothing but the time at which the run said that it happened. */
async function taking(t: Trial, fields: AdjustmentFields, send: () => Promise<Answer>): Promise<Answer> {
  const answer = await send();
  if (answer.status === 200 && !moments.has(t.run)) moments.set(t.run, 'any');
  const doubtful = isRefusal(answer) && !('actionedAtUtc' in fields) && !('uniqueAdjustmentId' in fields);
  return doubtful && (await takesOnlyNow(t)) ? send() : answer;
}

const isRefusal = ({ status }: Answer) => [400, 409, 422].includes(status);

/** Whether it has only now been found out that adjustments are taken of this moment only. */
async function takesOnlyNow(t: Trial): Promise<boolean> {
  if (moments.has(t.run)) return false;
  moments.set(t.run, 'any');
  const on = await brinkCard(t);
  const [earlier, now] = [shortlyBefore(t), new Date(nowThere(t)).toISOString()];
  if (!isRefusal(await byCode(t, on, 0.1, { actionedAtUtc: earlier }))) return false;
  if ((await byCode(t, on, 0.1, { actionedAtUtc: now })).status !== 200) return false;
  moments.set(t.run, 'now');
  return true;
}

const wayOut = `; ${waysOut[`POST ${byIdPath}`]}`;

const usualFields = [
  'giftCardId',
  'id',
  'giftCardID',
  'GiftCardId',
  'giftcardId',
  'cardId',
  'giftCard',
  'giftCardGuid',
  'serviceId',
];

/** What is known of the target goes before what is only likely. */
function fieldsToTry({ wire = [] }: Trial['run']): string[] {
  const known = wire.flatMap((row) => ('rename' in row && row.rename === cardField ? [row.to] : []));
  return [...new Set([...known, ...usualFields])];
}

export async function cardIdField(t: Trial): Promise<string> {
  const field = await t.shared('the field that names the card by ID', async (shared) => {
    const on = await brinkCard(shared);
    const before = await balanceOf(shared, on.code);
    const statuses = new Set<number>();
    const fields = fieldsToTry(shared.run);
    for (const candidate of [...fields, undefined, ...fields]) {
      if (candidate === undefined) {
        if (await takesOnlyNow(shared)) continue;
        break;
      }
      const answer = await shared.send(
        `adjust ${on.name} by ID, named as ${candidate} (${askedTold(shared, 0.1, {})})`,
        byIdAsk(shared, candidate, on.id, 0.1, {}),
      );
      if (answer.status === 200 && (await balanceOf(shared, on.code)) > before + 0.05) return candidate;
      statuses.add(answer.status);
    }
    // Bodies that differ in a name cannot all break a service that is whole.
    if ([...statuses].every((status) => status >= 500))
      throw new Blocked(`adjusting by ID: POST ${byIdPath} answered ${[...statuses].join(' or ')} whatever names the card`);
    const absent = [...statuses].every((status) => status === 404 || status === 405);
    throw new Untested(
      'fact-missing',
      absent
        ? `POST ${byIdPath} answered ${[...statuses].join(' or ')} each time: it is missing, or names the card by none of ${fields.join(', ')}${wayOut}`
        : `no body field names the card in AddAdjustmentByGiftCardId; tried ${fields.join(', ')}${wayOut}`,
    );
  });
  t.assumes('adjustment.by-id.field', field);
  return field;
}

/** The ways of adjusting that this target offers: by code, and by ID where the field for it can be found. */
export async function ways(t: Trial): Promise<Adjust[]> {
  try {
    await cardIdField(t);
    return [byCode, byId];
  } catch (error) {
    // What broke there has a verdict of its own.
    if (error instanceof Blocked || (error instanceof Untested && error.reason === 'fact-missing')) return [byCode];
    throw error;
  }
}

/** Books an amount and is Blocked when the target does not take it. */
export async function booked(t: Trial, on: Card, amount: number): Promise<void> {
  arranged(await byCode(t, on, amount), `adjusting ${on.name}`);
}

/** A card for redemptions that are larger than what is on it, brought to the balance that the check wants. Blocked when adjusting it by code does not work. */
export async function brink(t: Trial, balance: number): Promise<Card> {
  // Whatever is found out on this card is found out before.
  await ways(t);
  const on = await brinkCard(t);
  const difference = Math.round((balance - (await balanceOf(t, on.code))) * 100) / 100;
  if (difference !== 0) await booked(t, on, difference);
  return on;
}

const brinkCard = (t: Trial): Promise<Card> => t.shared('card at the brink', (shared) => card(shared));

/** A card that was redeemed in full. */
export function spentCard(t: Trial): Promise<Card> {
  return t.shared('spent card', async (shared) => {
    const on = await card(shared);
    await booked(shared, on, -1);
    return on;
  });
}

export function history(t: Trial, code: string, key?: string): Promise<Answer> {
  return t.send(`history of ${code} by code`, {
    method: 'GET',
    path: `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${encodeURIComponent(code)}`,
    ...(key === undefined ? {} : { key }),
  });
}

export function historyById(t: Trial, id: string | number, key?: string): Promise<Answer> {
  return t.send('history of a card by ID', {
    method: 'GET',
    path: `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardId/${encodeURIComponent(id)}`,
    ...(key === undefined ? {} : { key }),
  });
}
