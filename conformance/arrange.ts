import type { Answer } from './client.ts';
import { mentions } from './structure.ts';
import { arranged, type Trial } from './trial.ts';
import { Blocked, Untested } from './verdict.ts';

/** What a check needs before it can act, with a default for everything that it does not say itself. */

export interface Card {
  /** How reports name it: card#1. */
  name: string;
  code: string;
  id: string | number;
  /** What the create answered. */
  answer: Answer;
}

export interface CreateFields {
  balance?: number;
  code?: string;
  uniqueId?: string | undefined;
  recipientName?: string | undefined;
  buyerName?: string | undefined;
  [field: string]: unknown;
}

const money = (amount: number) => amount.toFixed(2);

/** Asks for a card and judges nothing. No card of the suite causes an email, and recipients live at example.com. */
export async function create(
  t: Trial,
  fields: CreateFields = {},
  key?: string | null,
): Promise<{ name: string; code: string; answer: Answer }> {
  const { ledger } = t.run;
  const code = fields.code ?? ledger.fresh();
  const body = { balance: 1, code, uniqueId: ledger.fresh('GCS-U'), disableEmails: true, ...fields };
  const entry = ledger.open(code, key ?? undefined);
  const asked = Object.keys(fields).filter((name) => name !== 'balance' && name !== 'code');
  const answer = await t.send(`create ${entry.name} (${[money(body.balance), ...asked].join(', ')})`, {
    method: 'POST',
    path: '/api/GiftCard/Create',
    body,
    ...(key === undefined ? {} : { key }),
  });
  ledger.settle(entry, answer);
  return { name: entry.name, code, answer };
}

/** A card that exists. Blocked when the target creates none. */
export async function card(t: Trial, fields: CreateFields = {}, key?: string): Promise<Card> {
  const { name, code, answer } = await create(t, fields, key);
  const id = (arranged(answer, `creating ${name}`).json as { id?: unknown } | undefined)?.id;
  if (typeof id !== 'string' && typeof id !== 'number') throw new Blocked(`creating ${name}: the answer carries no id`);
  return { name, code, id, answer };
}

/** One card with much on it that checks only look at. */
export function plainCard(t: Trial): Promise<Card> {
  return t.shared('plain card', (shared) => card(shared, plainFields));
}

export const plainFields = {
  balance: 2.75,
  recipientName: 'Conformance Recipient',
  recipientEmailAddress: 'recipient@example.com',
  buyerName: 'Conformance Buyer',
  buyerEmailAddress: 'buyer@example.com',
  giftMessage: 'A message',
  isPromotional: true,
  customField1: 'first ✓ <&>"',
  customField2: '  second, with blanks  ',
  customField3: '0042',
  notes: 'Created by a conformance run',
} as const satisfies CreateFields;

/** One card for checks that move its balance and look at the difference only. */
export function purse(t: Trial): Promise<Card> {
  return t.shared('purse', (shared) => card(shared, { balance: 9 }));
}

export function getByCode(t: Trial, code: string, key?: string): Promise<Answer> {
  return t.send(`GET ${code} by code`, {
    method: 'GET',
    path: `/api/GiftCard/GetByCode/${encodeURIComponent(code)}`,
    ...(key === undefined ? {} : { key }),
  });
}

export function getById(t: Trial, id: string | number, key?: string): Promise<Answer> {
  return t.send('GET a card by id', {
    method: 'GET',
    path: `/api/GiftCard/GetById/${encodeURIComponent(id)}`,
    ...(key === undefined ? {} : { key }),
  });
}

/** The card's balance as looking it up shows it. Blocked when that does not work. */
export async function balanceOf(t: Trial, code: string): Promise<number> {
  const answer = arranged(await getByCode(t, code), 'looking the card up');
  const balance = (answer.json as { balance?: unknown } | undefined)?.balance;
  if (typeof balance !== 'number') throw new Blocked('looking the card up: the answer carries no balance');
  return balance;
}

export async function voidByCode(t: Trial, code: string, key?: string): Promise<Answer> {
  const answer = await t.send(`void ${code} by code`, {
    method: 'DELETE',
    path: `/api/GiftCard/VoidByCode/${encodeURIComponent(code)}`,
    ...(key === undefined ? {} : { key }),
  });
  if (answer.status === 200 && key === undefined) t.run.ledger.voided(code);
  return answer;
}

export async function voidById(t: Trial, id: string | number, key?: string): Promise<Answer> {
  return t.send('void a card by id', {
    method: 'DELETE',
    path: `/api/GiftCard/VoidById/${encodeURIComponent(id)}`,
    ...(key === undefined ? {} : { key }),
  });
}

export interface AdjustmentFields {
  notes?: string | undefined;
  actionedAtUtc?: string | undefined;
  uniqueAdjustmentId?: string | undefined;
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
  t.send(`adjust ${on.code} by code (${signed(amount)})`, {
    method: 'POST',
    path: '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode',
    body: { giftCardCode: on.code, ...adjustmentBody(t, amount, fields) },
    ...(key === undefined ? {} : { key }),
  });

/** The body field that names the card is open: it is found first, and then used. Untested `fact-missing` when none is found. */
export const byId: Adjust = async (t, on, amount, fields = {}, key) => {
  const field = await cardIdField(t);
  return t.send(`adjust ${on.code} by ID (${signed(amount)})`, byIdAsk(t, field, on.id, amount, fields, key));
};

function byIdAsk(t: Trial, field: string, id: string | number, amount: number, fields: AdjustmentFields, key?: string) {
  return {
    method: 'POST' as const,
    path: '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId',
    body: { [field]: id, ...adjustmentBody(t, amount, fields) },
    ...(key === undefined ? {} : { key }),
  };
}

const signed = (amount: number) => `${amount < 0 ? '' : '+'}${money(amount)}`;

function adjustmentBody(t: Trial, amount: number, fields: AdjustmentFields) {
  return {
    adjustmentAmount: amount,
    notes: 'conformance',
    actionedAtUtc: new Date().toISOString(),
    uniqueAdjustmentId: t.run.ledger.fresh('GCS-A'),
    ...fields,
  };
}

const cardIdFields = [
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

async function cardIdField(t: Trial): Promise<string> {
  const field = await t.shared('the field that names the card by ID', async (shared) => {
    const on = await card(shared);
    for (const candidate of cardIdFields) {
      const answer = await shared.send(
        `adjust ${on.name} by ID, named as ${candidate} (+0.10)`,
        byIdAsk(shared, candidate, on.id, 0.1, {}),
      );
      if (answer.status === 200 && (await balanceOf(shared, on.code)) > 1.05) return candidate;
    }
    throw new Untested(
      'fact-missing',
      `no body field names the card in AddAdjustmentByGiftCardId; tried ${cardIdFields.join(', ')}`,
    );
  });
  const fact = `adjustment.by-id.field = "${field}"`;
  if (!t.usedFacts.includes(fact)) t.usedFacts.push(fact);
  return field;
}

/** The ways of adjusting that this target offers: by code, and by ID where the field for it can be found. */
export async function ways(t: Trial): Promise<Adjust[]> {
  try {
    await cardIdField(t);
    return [byCode, byId];
  } catch (error) {
    if (error instanceof Untested && error.reason === 'fact-missing') return [byCode];
    throw error;
  }
}

/** Books an amount and is Blocked when the target does not take it. */
export async function booked(t: Trial, on: Card, amount: number, fields: AdjustmentFields = {}): Promise<void> {
  arranged(await byCode(t, on, amount, fields), `adjusting ${on.name}`);
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

export interface ListQuery {
  pageSize?: number;
  pageNumber?: number;
  since?: string;
  includeAll?: boolean;
}

export function list(t: Trial, query: ListQuery = {}, key?: string): Promise<Answer> {
  const told = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return t.send(`list ${told.join(' ')}`.trim(), {
    method: 'GET',
    path: '/api/GiftCard/List',
    query: { ...query },
    ...(key === undefined ? {} : { key }),
  });
}

/** Whether the list holds the card, by its code or its id, looking through at most twenty full pages. */
export async function isListed(
  t: Trial,
  wanted: { code: string; id?: string | number },
  query: ListQuery = {},
  key?: string,
): Promise<boolean> {
  for (let pageNumber = 0; pageNumber < 20; pageNumber += 1) {
    const { json } = arranged(await list(t, { pageSize: 50, pageNumber, ...query }, key), 'listing cards');
    const cards = (json as { giftCards?: unknown } | undefined)?.giftCards;
    if (!Array.isArray(cards)) throw new Blocked('listing cards: the answer has no array giftCards');
    if (cards.some((each) => mentions(each, wanted.code) || (wanted.id !== undefined && mentions(each, wanted.id)))) return true;
    if (cards.length < 50) return false;
  }
  return false;
}
