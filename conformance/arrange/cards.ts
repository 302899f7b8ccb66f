import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../exchange.ts';
import { mentions } from '../structure.ts';
import { arranged, type Trial } from '../trial.ts';
import { Blocked, Untested } from '../verdict.ts';
import { reckoned, told } from './money.ts';

/** What a check needs before it can act, with a default for everything that it does not say itself. */

export interface Card {
  /** How reports name it: card#1. */
  name: string;
  code: string;
  id: string | number;
  /** What the create answered. */
  answer: Answer;
  /** What it asked for, where the run created it. */
  asked?: CreateFields;
}

export interface CreateFields {
  balance?: number | undefined;
  code?: string;
  uniqueId?: string | undefined;
  recipientName?: string | undefined;
  buyerName?: string | undefined;
  [field: string]: unknown;
}

/** The fields that a request has, and those that it lacks though the like of it have them. */
export const fieldsTold = (fields: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(fields).map(([name, value]) => (value === undefined ? `without ${name}` : name));

/** What came of asking for a card. */
export interface Created {
  name: string;
  code: string;
  /** What was asked for, every field of it. */
  asked: CreateFields;
  answer: Answer;
}

/**
 * Asks for a card and judges nothing. No card of the suite causes an email, and recipients live at example.com. The first of an account shows in which
 * currency it is; where that has other decimals, the card is asked for once more, as the account takes amounts.
 */
export async function create(t: Trial, fields: CreateFields = {}, key?: string | null): Promise<Created> {
  // A code can be given once only.
  if (fields.code !== undefined && key !== null) await reckoned(t, key);
  const made = await createOnce(t, fields, key);
  return (await isReckonedAnew(t, made.answer, key)) ? createOnce(t, fields, key) : made;
}

/** Whether amounts of the account are from now on written in another way than they were. */
async function isReckonedAnew(t: Trial, { status, json }: Answer, key: string | null | undefined): Promise<boolean> {
  if (key === null) return false;
  const dialect = t.run.client.dialectOf(key);
  if (dialect.isLearned) return false;
  if (status === 200) return dialect.learn((json as { currency?: unknown } | undefined)?.currency);
  return [400, 409, 422].includes(status) && (await reckoned(t, key)).scale !== 1;
}

async function createOnce(t: Trial, fields: CreateFields, key?: string | null): Promise<Created> {
  const { ledger } = t.run;
  t.stillWanted();
  const code = fields.code ?? ledger.fresh();
  const body: CreateFields = { balance: 1, code, uniqueId: ledger.unique('GCS-U'), disableEmails: true, ...fields };
  const taken = t.run.names.of(code);
  const entry = ledger.open(code, key ?? undefined);
  const value = body.balance === undefined ? 'no balance' : told(t, body.balance, key);
  const asked = fieldsTold(fields).filter((name) => name !== 'balance' && name !== 'without balance' && name !== 'code');
  if (taken !== undefined && taken !== entry.name) asked.push(`with the code of ${taken}`);
  const answer = await t.send(`create ${entry.name} (${[value, ...asked].join(', ')})`, {
    method: 'POST',
    path: '/api/GiftCard/Create',
    body,
    entry,
    ...(key === undefined ? {} : { key }),
  });
  ledger.settle(entry, answer);
  settleOtherCode(t, code, key ?? undefined, answer);
  return { name: entry.name, code, asked: body, answer };
}

/** Asks for a card whose code the service is to choose, and judges nothing; the ledger learns the code from the answer. */
export async function createWithoutCode(t: Trial, fields: CreateFields = {}): Promise<Answer> {
  const { ledger } = t.run;
  await reckoned(t);
  t.stillWanted();
  const entry = ledger.openUncoded();
  const body = { balance: 1, uniqueId: ledger.unique('GCS-U'), disableEmails: true, ...fields, customField1: entry.mark };
  const answer = await t.send('create a card without a code', { method: 'POST', path: '/api/GiftCard/Create', body, entry });
  ledger.settle(entry, answer);
  const { code } = (answer.json ?? {}) as { code?: unknown };
  if (answer.status === 200 && typeof code === 'string' && code !== '') ledger.coded(entry, code);
  return answer;
}

/** A target that changes the code that it was given (its blanks, say) is found out, and the card is cleaned up by the code that it has. */
function settleOtherCode(t: Trial, asked: string, key: string | undefined, answer: Answer): void {
  const { code } = (answer.json ?? {}) as { code?: unknown };
  if (answer.status === 200 && typeof code === 'string' && code !== asked)
    t.run.ledger.settle(t.run.ledger.open(code, key), answer);
}

/** A card that exists. Blocked when the target creates none. */
export async function card(t: Trial, fields: CreateFields = {}, key?: string): Promise<Card> {
  return createdCard(await create(t, fields, key));
}

/** The same of one that was asked for. */
export function createdCard({ name, code, asked, answer }: Created): Card {
  const id = (arranged(answer, `creating ${name}`).json as { id?: unknown } | undefined)?.id;
  if (typeof id !== 'string' && typeof id !== 'number') throw new Blocked(`creating ${name}: the answer carries no id`);
  return { name, code, id, answer, asked };
}

/** The create that many clauses look at, asked for once and judged by each; the control, too, of creates that are to be refused for one thing in which they differ. */
export function plainCreate(t: Trial): Promise<Created> {
  return t.shared('plain card', async (shared) => {
    const full = await create(shared, plainFields);
    if (![400, 409, 422].includes(full.answer.status)) return full;
    // The text does not say that all of these values are taken, nor so small an amount. If nothing is, the first refusal stands.
    for (const balance of [1, 10]) {
      const bare = await create(shared, { balance, uniqueId: undefined, disableEmails: undefined });
      if (bare.answer.status === 200) return bare;
    }
    return full;
  });
}

/** One card that checks only look at, with much on it where the target takes that. Blocked when it was not created. */
export async function plainCard(t: Trial): Promise<Card> {
  return createdCard(await plainCreate(t));
}

export const isFull = ({ asked }: Created): boolean => asked.customField1 !== undefined;

/** The same for checks of what is on it. Untested `control-failed` where the target took only a card with nothing on it. */
export async function fullCard(t: Trial): Promise<Card> {
  const made = await plainCreate(t);
  if (!isFull(made))
    throw new Untested('control-failed', 'a card with everything on it was refused, and one with a balance and a code was not');
  return createdCard(made);
}

/** Not so far away that it cannot be written down, and well behind all that a run lets pass. */
export const farExpiry = (years: number) => `${new Date().getUTCFullYear() + years}-10-11T12:13:14.000Z`;

export const plainFields = {
  // A hundred times that is, in binary fractions, a little less than 57.
  balance: 0.57,
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
  expiresAtUtc: farExpiry(15),
} as const satisfies CreateFields;

/** A create whose code and uniqueId are asked for once more, by several checks; that it was taken is the control of theirs, which differ from it in one thing. */
export const repeatedCreate = (t: Trial): Promise<Created> =>
  t.shared('card that is asked for again', (shared) => create(shared, { balance: 0.5 }));

/** The same as a card. Blocked when it was not created. */
export const repeatedCard = async (t: Trial): Promise<Card> => createdCard(await repeatedCreate(t));

/** One card for checks that move its balance and look at the difference only. */
export function purse(t: Trial): Promise<Card> {
  return t.shared('purse', (shared) => card(shared, { balance: 1 }));
}

/** The create of a card with a balance of zero, which may be refused. */
export const zeroCard = (t: Trial): Promise<{ code: string; answer: Answer }> =>
  t.shared('card of zero', (shared) => create(shared, { balance: 0 }));

/** The same with an expiry that is past. */
export const pastCard = (t: Trial): Promise<{ code: string; answer: Answer }> =>
  t.shared('card that has expired', (shared) => create(shared, { balance: 0.5, expiresAtUtc: '2020-01-01T00:00:00Z' }));

/** Two cards and what voiding them answered, one by code and one by ID, done once and looked at by several clauses. */
export function voidings(t: Trial): Promise<{ byCode: Voiding; byId: Voiding }> {
  return t.shared('voided cards', async (shared) => {
    // The one that is voided by ID is not the latest.
    const [first, second] = [await card(shared, { balance: 0.5 }), await card(shared, { balance: 0.5 })];
    return {
      byId: { on: first, answer: await voidById(shared, first.id) },
      byCode: { on: second, answer: await voidByCode(shared, second.code) },
    };
  });
}

interface Voiding {
  on: Card;
  answer: Answer;
}

/** Those of them that were voided. Blocked when none could be. */
export async function voidedCards(t: Trial): Promise<[Card, ...Card[]]> {
  const { byCode, byId } = await voidings(t);
  const [first, ...others] = [byCode, byId].flatMap(({ on, answer }) => (answer.status === 200 ? [on] : []));
  if (first) return [first, ...others];
  arranged(byCode.answer, 'voiding by code');
  throw new Blocked('no card could be voided');
}

/**
 * A search by email, repeated until it finds the card or ten seconds are over: a card is found once it was sent to its recipient.
 * Such a card has its emails on; nobody reads example.com.
 */
export async function byEmail(t: Trial, emailAddress: string, wanted?: Card, key?: string): Promise<Answer> {
  const ask = {
    method: 'GET' as const,
    path: '/api/GiftCard/GetByEmail',
    query: { emailAddress },
    ...(key === undefined ? {} : { key }),
  };
  let answer = await t.send('GET cards by the recipient’s address', ask);
  for (let again = 0; again < 16 && wanted && !holdsCard(answer.json, wanted); again += 1) {
    await pause(again < 8 ? 250 : 1_000);
    answer = await t.send('GET cards by the recipient’s address', ask);
  }
  return answer;
}

export const sentFields = {
  shouldSendNotification: true,
  disableEmails: false,
  recipientName: 'Conformance Recipient',
} as const satisfies CreateFields;

export const holdsCard = (json: unknown, { code, id }: Pick<Card, 'code' | 'id'>) => mentions(json, code) || mentions(json, id);

export async function getByCode(t: Trial, code: string, key?: string): Promise<Answer> {
  const answer = await t.send(`GET ${code} by code`, {
    method: 'GET',
    path: `/api/GiftCard/GetByCode/${encodeURIComponent(code)}`,
    ...(key === undefined ? {} : { key }),
  });
  t.run.ledger.seen(code, key, answer);
  return answer;
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
