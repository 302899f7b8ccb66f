import { isSuccess } from '../core/expect.ts';
import { mustSucceed, type Run, Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import { isMissingThroughout, readsOfMissing, type TargetResponse, TransportError } from '../http/exchange.ts';
import { mentions } from '../http/json-search.ts';
import { idIn } from '../safety/cleanup-requests.ts';
import type { TargetRequest } from '../safety/effects.ts';
import { isPending } from '../safety/entries.ts';
import { amountText, currencyCode, profileResponse } from './currency.ts';

export interface CreateFields {
  balance?: number | undefined;
  code?: string;
  uniqueId?: string | undefined;
  [field: string]: unknown;
}

/** A create request and its response. `name` is the card's name in reports, such as card#1. */
export interface Created {
  name: string;
  code: string;
  fields: CreateFields;
  response: TargetResponse;
}

/** A card. `fields` are the fields of the create request. Undefined for a card that was not created by a create request. */
export type TestCard = Omit<Created, 'fields'> & { id: string | number; fields?: CreateFields };

const createPath = '/api/GiftCard/Create';

/** Returns the `key` of a request. If the key is undefined, the client sends the run's key. If the key is null, the client sends no key. */
export const withKey = (key: string | null | undefined): Pick<TargetRequest, 'key'> => (key === undefined ? {} : { key });

/** Returns the names of the fields for reports. An undefined field is shown as `without X`. */
export const fieldNames = (fields: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(fields).map(([name, value]) => (value === undefined ? `without ${name}` : name));

/** Sends one create request and expects nothing of the response. Emails are off by default. */
export async function tryCreate(t: Trial, fields: CreateFields = {}, key?: string | null): Promise<Created> {
  if (key !== null) await learnCurrency(t, key);
  return sendCreate(t, fields, key);
}

/** Learns the currency of the account, because the format of amounts depends on the currency's decimals. */
export async function learnCurrency(t: Trial, key?: string): Promise<void> {
  const format = t.run.client.formatOf(key);
  if (format.isLearned) return;
  const account = key === undefined ? "the run's account" : t.run.redactor.mask(key);
  format.learnCurrency(await t.shared(`the currency of ${account}`, (shared) => currencyOfAccount(shared, key)));
}

/** Returns the currency from the business profile. If the profile does not show the currency, creates a card and returns its currency. */
async function currencyOfAccount(t: Trial, key?: string): Promise<unknown> {
  const { status, json } = await (key === undefined
    ? profileResponse(t)
    : t.send('GET the business profile', get('/api/Company/Profile', key)));
  if (status === 401 || status === 403 || status === 429) return undefined;
  const code = status === 200 ? currencyCode(json) : undefined;
  if (code !== undefined) return code;
  // If this response is lost, the currency stays unknown, and amounts have two decimals. An error would block every later create.
  const created = await (key === undefined ? firstCard(t) : sendCreate(t, { balance: 1 }, key)).catch((error: unknown) => {
    if (error instanceof TransportError) return undefined;
    throw error;
  });
  return (created?.response.json as { currency?: unknown } | undefined)?.currency;
}

/** Returns the body of a create request. Emails are off by default. */
export function createBody({ run }: Trial, fields: CreateFields): CreateFields {
  return { balance: 1, uniqueId: run.ledger.unique('GCS-U'), disableEmails: true, ...fields };
}

async function sendCreate(t: Trial, given: CreateFields, key?: string | null): Promise<Created> {
  const { ledger, redactor, client } = t.run;
  t.throwIfOver();
  // The run sends no other create, so the response to the first create counts for all.
  if (client.gate.policy.cannotCreate && key === undefined) return firstCard(t);
  const code = given.code ?? ledger.fresh();
  const fields = createBody(t, { code, ...given });
  const taken = redactor.of(code);
  const entry = ledger.open(code, key ?? undefined);
  const balance = fields.balance === undefined ? 'no balance' : amountText(t, fields.balance, key);
  const others = fieldNames(given).filter((field) => !['balance', 'without balance', 'code'].includes(field));
  if (taken !== undefined) others.push(`with the code of ${taken}`);
  const what = `create ${entry.name} (${[balance, ...others].join(', ')})`;
  const response = await t.send(what, { method: 'POST', path: createPath, body: fields, entry, ...withKey(key) });
  ledger.recordResponse(entry, response);
  // If the service changed the code (for example, trimmed blanks), cleanup must find the card by both codes.
  const { code: shown } = (response.json ?? {}) as { code?: unknown };
  const hasOther = isSuccess(response) && typeof shown === 'string' && shown !== code && shown !== '';
  if (hasOther) ledger.recordResponse(ledger.open(shown, key ?? undefined), response);
  // Only one rule is about the given code. All other tests use the code that the service shows.
  return { name: entry.name, code: hasOther ? shown : code, fields, response };
}

/** Creates a card whose code the service generates. If the response is lost, cleanup finds the card by the marker in customField1. */
export async function createWithoutCode(t: Trial): Promise<TargetResponse> {
  const { ledger } = t.run;
  await learnCurrency(t);
  t.throwIfOver();
  const entry = ledger.openUncoded();
  const body = createBody(t, { customField1: entry.mark });
  const response = await t.send('create a card without a code', { method: 'POST', path: createPath, body, entry });
  ledger.recordResponse(entry, response);
  const { code } = (response.json ?? {}) as { code?: unknown };
  if (isSuccess(response) && typeof code === 'string' && code !== '') ledger.setCode(entry, code);
  return response;
}

/** Creates a card. Throws Blocked if the target rejects the create. */
export const createCard = async (t: Trial, fields: CreateFields = {}, key?: string): Promise<TestCard> =>
  createdCard(await tryCreate(t, fields, key));

/** Returns the card that a create request made. Throws Blocked if the target rejected the request. */
export function createdCard({ name, code, fields, response }: Created): TestCard {
  const id = (mustSucceed(response, `creating ${name}`).json as { id?: unknown } | undefined)?.id;
  if (typeof id !== 'string' && typeof id !== 'number') throw new Blocked(`creating ${name}: the response has no id`);
  return { name, code, id, response, fields };
}

const get = (path: string, key?: string): TargetRequest => ({ method: 'GET', path, ...withKey(key) });
const remove = (path: string, key?: string): TargetRequest => ({ method: 'DELETE', path, ...withKey(key) });

export const getByCode = (t: Trial, code: string, key?: string): Promise<TargetResponse> =>
  t.send(`GET ${code} by code`, get(`/api/GiftCard/GetByCode/${encodeURIComponent(code)}`, key));

export const getById = (t: Trial, id: string | number, key?: string): Promise<TargetResponse> =>
  t.send('GET a card by ID', get(`/api/GiftCard/GetById/${encodeURIComponent(id)}`, key));

/** Maximum number of times that a search is repeated until the service has sent the card. */
const mostRepeats = 20;

/** Searches by email. If a card is `wanted`, repeats the search for up to 10 s, because a search finds a card only after the service has sent the card. */
export async function byEmail(
  t: Trial,
  emailAddress: string,
  wanted?: Pick<TestCard, 'code' | 'id'>,
  key?: string,
): Promise<TargetResponse> {
  const request = { ...get('/api/GiftCard/GetByEmail', key), query: { emailAddress } };
  for (let repeats = 0; ; repeats += 1) {
    const response = await t.send('GET cards by email address', request);
    const mayCome = wanted !== undefined && [200, 404].includes(response.status) && !holdsCard(response.json, wanted);
    if (mayCome && response.status === 404)
      await t.shared('reads that show whether the search exists', async (shared) => {
        for (const path of readsOfMissing(request.path)) await shared.send(`GET ${path}`, get(path));
      });
    if (!mayCome || repeats === mostRepeats || isMissingThroughout(t.run.client.exchanges, request.path)) return response;
    await t.run.client.rate.wait(500, 'rest');
  }
}

export const holdsCard = (json: unknown, { code, id }: Pick<TestCard, 'code' | 'id'>) =>
  mentions(json, code) || mentions(json, id);

/** Looks up the balance of a card. Throws Blocked if the lookup fails. */
export async function balanceOf(t: Trial, code: string): Promise<number> {
  const response = mustSucceed(await getByCode(t, code), 'looking the card up');
  const balance = (response.json as { balance?: unknown } | undefined)?.balance;
  if (typeof balance !== 'number') throw new Blocked('looking the card up: the response has no balance');
  return balance;
}

export async function voidByCode(t: Trial, code: string, key?: string): Promise<TargetResponse> {
  const response = await t.send(`void ${code} by code`, remove(`/api/GiftCard/VoidByCode/${encodeURIComponent(code)}`, key));
  if (isSuccess(response) && key === undefined) t.run.ledger.noteVoid(code);
  return response;
}

export const voidById = (t: Trial, id: string | number, key?: string): Promise<TargetResponse> =>
  t.send('void a card by ID', remove(`/api/GiftCard/VoidById/${encodeURIComponent(id)}`, key));

/** Fields of a card that the service sends to its recipient. */
export const sentFields = {
  shouldSendNotification: true,
  disableEmails: false,
  recipientName: 'Conformance Recipient',
} as const satisfies CreateFields;

/** Creates and voids one card before the run creates others. Reports whether the card is voided. If the target cannot void cards, only this card remains on the target. */
export async function isCanaryVoided(run: Run): Promise<boolean> {
  // Errors are ignored. After the sweep, the ledger has the state of the card, even if the response to the create was lost.
  const created = await firstCard(new Trial(run)).catch(() => undefined);
  const { gate } = run.client;
  if (created && !isCard(created)) gate.policy = { ...gate.policy, cannotCreate: true };
  await run.ledger.sweep(run.client).catch(() => undefined);
  return !run.ledger.all.some(isPending);
}

const isCard = ({ code, response: { status, json } }: Created): boolean =>
  status >= 200 && status < 300 && (idIn(json) !== undefined || mentions(json, code));

/** Creates a card that shows the currency of the account. The currency may be unknown when this card is created. */
const firstCard = (t: Trial): Promise<Created> => t.shared('the first card', (shared) => sendCreate(shared, { balance: 1 }));
