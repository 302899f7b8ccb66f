import type { AutomationEvent } from '../core/target.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { arrays, leaves, mentions } from '../http/structure.ts';
import type { CardEntry } from '../safety/entries.ts';
import { byEmail, holdsCard, voidByCode } from './card-requests.ts';
import { reckoned } from './money.ts';

/** Automation events. Each that runs something makes cards, which are money: events are shared, and their cards noted and voided. */

export interface EventFields {
  event_name?: string | undefined;
  recipient_email?: string | undefined;
  amount?: number | undefined;
  idempotency_key?: string | undefined;
  properties?: Record<string, unknown> | undefined;
  [field: string]: unknown;
}

/** An address of nobody, used by no other event of any run. */
export const recipient = (t: Trial) => `${t.run.ledger.fresh('gcs').toLowerCase()}@example.com`;

export interface Issued {
  /** What the answer says of the card, with names of its own. */
  record: unknown;
  /** The card as looking it up shows it. */
  card: Record<string, unknown>;
}

export interface Happened {
  recipient: string;
  answer: Answer;
  /** Statuses that automations have in the answer, in its order. */
  statuses: string[];
  cards: Issued[];
}

const path = '/api/AutomationTriggerEvents';

/** Sends an event that no automation waits for, but for what `fields` says: nothing comes of it, or else the ledger knows for whom. */
export async function idleEvent(t: Trial, what: string, fields: EventFields = {}): Promise<Answer> {
  const { ledger } = t.run;
  const own = recipient(t);
  const body = { event_name: ledger.fresh('gcs-none-'), recipient_email: own, properties: {}, ...fields };
  const entry = body.recipient_email === own ? ledger.openIssued(own) : undefined;
  const noted = entry === undefined ? {} : { entry };
  const answer = await t.send(`send an event ${what}`, { method: 'POST', path, body, odd: true, ...noted });
  if (entry) noteIdle(t, entry, answer);
  return answer;
}

/** Notes what an event that nothing should come of was answered with. */
export function noteIdle({ run: { ledger } }: Trial, entry: CardEntry, answer: Answer): void {
  const statuses = statusesIn(answer.json);
  ledger.settle(entry, answer, statuses.includes('Created'));
  if (isAccounted(statuses)) ledger.accounted(entry);
  else if (answer.status === 200 && statuses.length === 0) ledger.doubt(entry);
}

/** Sends an event that automations may wait for, and notes the cards that come of it. Blocked when it is not answered with 200. */
export async function event(t: Trial, fields: EventFields, key?: string): Promise<Happened> {
  const address = fields.recipient_email ?? recipient(t);
  const { ledger } = t.run;
  const body = { recipient_email: address, properties: {}, ...fields };
  const entry = ledger.openIssued(address, key);
  const withKey = key === undefined ? {} : { key };
  const asked = Object.keys(fields).filter((name) => name !== 'recipient_email' && name !== 'event_name');
  const answer = await t.send(`send an event (${asked.join(', ') || 'nothing besides'})`, {
    method: 'POST',
    path,
    body,
    entry,
    ...withKey,
  });
  const statuses = statusesIn(answer.json);
  ledger.settle(entry, answer, statuses.includes('Created'));
  arranged(answer, 'sending an event');
  if (isAccounted(statuses)) ledger.accounted(entry);
  const created = statuses.filter((status) => status === 'Created').length;
  const records = await issuedBy(t, answer, key);
  const cards = records.length > 0 ? records : await namedIn(t, { answer, recipient: address, created }, key);
  // Where the answer tells of every card, each has an entry of its own from here on. The event's own is the last to become one: until then it stands for all.
  const isTold = cards.length > 0 && cards.length === created;
  for (const [index, { card }] of [...cards.entries()].toReversed()) {
    const isFirst = isTold && index === 0;
    if (isFirst) ledger.coded(entry, String(card.code));
    ledger.settle(isFirst ? entry : ledger.open(String(card.code), key), { ...answer, json: card });
  }
  return { recipient: address, answer, statuses, cards };
}

/** An event for which every automation was skipped has issued nothing; one whose answer has no status that is known may have. */
const isAccounted = (statuses: readonly string[]) => statuses.length > 0 && !statuses.includes('Created');

export const automationStatuses = ['Created', 'SkippedIdempotent', 'SkippedUsageLimit'] as const;
const known = new Set<string>(automationStatuses);

const knownIn = (json: unknown) => leaves(json).flatMap(({ value }) => (known.has(value as string) ? [value as string] : []));

/**
 * The status of each automation, in the order of the answer: what the longest array holds whose entries have one each, the outermost of them, because
 * a card of the answer may have a status of its own that is called the same. All that there are, where no array is so.
 */
function statusesIn(json: unknown): string[] {
  const lists = arrays(json).map((items) => items.map(ownStatuses));
  const each = lists.filter((entries) => entries.length > 0 && entries.every(({ length }) => length === 1));
  const [longest] = each.toSorted((one, other) => other.length - one.length);
  return (longest ?? [knownIn(json)]).flat();
}

/** Those of an entry itself where it has any, or else of what is within it. */
function ownStatuses(entry: unknown): string[] {
  const own = typeof entry === 'object' && entry !== null ? Object.values(entry).filter((value) => known.has(value)) : [];
  return own.length > 0 ? own : knownIn(entry);
}

/** The cards in the answer, whose names are open: what looking up a value of a record finds. */
async function issuedBy(t: Trial, answer: Answer, key?: string): Promise<Issued[]> {
  const found = new Map<string, Issued>();
  for (const record of arrays(answer.json).flat()) {
    const ids = leaves(record)
      .filter(({ path: name, value }) => /code|number|id$|ref|card/i.test(name) && isName(value))
      .toSorted((one, other) => Number(/code/i.test(other.path)) - Number(/code/i.test(one.path)));
    for (const { path: name, value } of ids.slice(0, 4)) {
      const card = await lookedUp(t, /code|number/i.test(name) ? 'GetByCode' : 'GetById', value, key);
      if (!card) continue;
      if (!found.has(card.code)) found.set(card.code, { record, card });
      break;
    }
  }
  return [...found.values()];
}

/** The cards of an answer that lists nothing but their codes or ids, one for each that was created. What is not the recipient's may be anything. */
async function namedIn(
  t: Trial,
  { answer, recipient: address, created }: { answer: Answer; recipient: string; created: number },
  key?: string,
): Promise<Issued[]> {
  const lists = arrays(answer.json).filter((items) => items.length === created && items.every(isName));
  const found: Issued[] = [];
  for (const record of lists.flat().filter((value) => !known.has(value as string))) {
    const card = (await lookedUp(t, 'GetByCode', record, key)) ?? (await lookedUp(t, 'GetById', record, key));
    if (card && (await hasReached(t, { answer, recipient: address, cards: [{ record, card }] }, key)))
      found.push({ record, card });
  }
  return found;
}

async function lookedUp(t: Trial, by: 'GetByCode' | 'GetById', value: unknown, key?: string) {
  const { status, json } = await t.send('look up a card of the answer', {
    method: 'GET',
    path: `/api/GiftCard/${by}/${encodeURIComponent(String(value))}`,
    ...(key === undefined ? {} : { key }),
  });
  const card = json as Record<string, unknown> | null | undefined;
  return status === 200 && typeof card?.code === 'string' ? { ...card, code: card.code } : undefined;
}

const isName = (value: unknown) => (typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)) || Number.isInteger(value);

/** How many automations of that event run. */
export const expected = ({ automations = 1 }: AutomationEvent) => automations;

export interface Happenings {
  first: Happened;
  /** Whether every card of it is told with its recipient, or found by the recipient's address. */
  reached: boolean;
  repeat: Happened;
  third: Happened;
  key: string;
}

/** One event with a key and no amount, for all checks that look at what comes of one; its repeat; and its repeat with other content, once its cards are voided. */
export function happened(t: Trial, { name }: AutomationEvent): Promise<Happenings> {
  return t.shared('an automation event and its repeats', async (shared) => {
    const key = shared.run.ledger.unique('GCS-K');
    const fields = { event_name: name, idempotency_key: key, properties: { gcs_run: shared.run.ledger.runId } };
    const first = await event(shared, fields);
    const reached = await hasReached(shared, first);
    const repeat = await event(shared, { ...fields, recipient_email: first.recipient });
    for (const { card } of first.cards) await voidByCode(shared, String(card.code));
    const other = { amount: 1, properties: { gcs_other: 'content' }, recipient_email: first.recipient };
    const third = await event(shared, { ...fields, ...other });
    return { first, reached, repeat, third, key };
  });
}

async function hasReached(
  t: Trial,
  { answer, recipient: address, cards }: Omit<Happened, 'statuses'>,
  key?: string,
): Promise<boolean> {
  if (cards.every(({ card, record }) => mentions(card, address) || mentions(record, address))) return true;
  const [one] = cards;
  const wanted = { code: String(one?.card.code), id: one?.card.id as string };
  return holdsCard((await byEmail(t, address, { name: 'the card', answer, ...wanted }, key)).json, wanted);
}

/** What the automation gives of its own. */
export const ownAmount = (t: Trial, { amount }: AutomationEvent) => t.run.client.dialectOf().own(amount);

/** An amount above the automation's own, and not whole; a large one is no amount for that. */
export const larger = (t: Trial, automation: AutomationEvent) =>
  ownAmount(t, automation) <= 20 ? ownAmount(t, automation) + 0.25 : 1.25;

/** An amount whose hundredfold is, in binary fractions, a little less than a whole number. */
export const smallAmount = 1.15;

/** Two events without a key, of an amount of their own. */
export function small(t: Trial, automation: AutomationEvent): Promise<Happened[]> {
  return t.shared('two small automation events', async (shared) => {
    await reckoned(shared);
    return [
      await event(shared, { event_name: automation.name, amount: smallAmount }),
      await event(shared, { event_name: automation.name, amount: larger(shared, automation) }),
    ];
  });
}

/**
 * Events of one recipient until the only automation is skipped for its usage limit; the first two have one key, with which automations of another event
 * have run where the profile names one.
 */
export function usingUp(t: Trial, name: string): Promise<Happened[]> {
  return t.shared('an automation at its usage limit', async (shared) => {
    const to = recipient(shared);
    const { automationEvent } = shared.run.profile;
    const elsewhere = automationEvent && automationEvent.name !== name ? await happened(shared, automationEvent) : undefined;
    const key = elsewhere?.key ?? shared.run.ledger.unique('GCS-K');
    const send = (more: EventFields) => event(shared, { event_name: name, recipient_email: to, amount: 1, ...more });
    const seen = [await send({ idempotency_key: key }), await send({ idempotency_key: key })];
    seen.push(await send({}));
    if (!seen[2]?.statuses.includes('SkippedUsageLimit') && seen[2]?.statuses.includes('Created')) seen.push(await send({}));
    if (seen.flatMap(({ statuses }) => statuses).length === 0)
      throw new Untested('fixture-missing', 'no automation ran or was skipped for the event whose automation is used up');
    return seen;
  });
}
