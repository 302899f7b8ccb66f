import { arranged, type Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
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

/** Of a card that is sent to its recipient. */
export const sentFields = {
  shouldSendNotification: true,
  disableEmails: false,
  recipientName: 'Conformance Recipient',
} as const satisfies CreateFields;
