import { lists } from '../../openapi/generated/lists.ts';
import { isSuccess } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { arrays, leaves, looksLikeName, mentions } from '../http/json-search.ts';
import type { AutomationEvent } from '../http/target.ts';
import type { LedgerCard } from '../safety/entries.ts';
import { Untested } from '../safety/policy.ts';
import { byEmail, getByCode, getById, holdsCard, learnCurrency, type TestCard, voidByCode, withKey } from './cards.ts';

type EventFields = Readonly<Record<string, unknown>> & { readonly recipient_email?: string };

/** Returns an address that no other event of any run has. */
export const recipient = (t: Trial) => `${t.run.ledger.fresh('gcs').toLowerCase()}@example.com`;

export interface Issued {
  /** The card's record in the response to the event. */
  record: unknown;
  /** The response to a lookup of the card. */
  card: Readonly<Record<string, unknown>> & Pick<TestCard, 'code' | 'id'>;
}

export interface SentEvent {
  recipient: string;
  response: TargetResponse;
  statuses: string[];
  cards: Issued[];
}

const path = '/api/AutomationTriggerEvents';

/** Sends an event that should issue nothing. A wrong target may still issue a card, so the ledger records the recipient for the cleanup. */
export async function idleEvent(t: Trial, what: string, fields: EventFields = {}): Promise<TargetResponse> {
  const { ledger } = t.run;
  const own = recipient(t);
  const body = { event_name: ledger.fresh('gcs-none-'), recipient_email: own, properties: {}, ...fields };
  const entry = body.recipient_email === own ? ledger.openIssued(own) : undefined;
  const request = { method: 'POST', path, body, odd: true, ...(entry ? { entry } : {}) } as const;
  const response = await t.send(`send an event ${what}`, request);
  if (entry) noteIdleEvent(t, entry, response);
  return response;
}

export const unmatchedEvent = (t: Trial): Promise<TargetResponse> =>
  t.shared('an event that matches no automation', (shared) => idleEvent(shared, 'that matches no automation'));

/** Records in the ledger whether an event that should issue nothing has issued a card. */
export function noteIdleEvent(t: Trial, entry: LedgerCard, response: TargetResponse): void {
  const statuses = recordEvent(t, entry, response);
  if (isSuccess(response) && statuses.length === 0) t.run.ledger.mark(entry, 'uncertain');
}

/** Records in the ledger whether an event has issued a card. Returns the statuses in the response. Without a known status, the event may have issued cards. */
function recordEvent({ run: { ledger } }: Trial, entry: LedgerCard, response: TargetResponse): string[] {
  const statuses = statusesIn(response.json);
  const hasCreated = statuses.includes('Created');
  ledger.recordResponse(entry, response, hasCreated);
  if (statuses.length > 0 && !hasCreated) ledger.mark(entry, 'refused');
  return statuses;
}

/** Sends an event and records the issued cards. Throws Blocked if the target did not accept the event. */
export async function event(t: Trial, fields: EventFields, key?: string): Promise<SentEvent> {
  const sent = await sendEvent(t, fields, key);
  mustSucceed(sent.response, 'sending an event');
  return sent;
}

/** Sends an event, records the issued cards, and expects nothing of the response. */
async function sendEvent(t: Trial, fields: EventFields, key?: string): Promise<SentEvent> {
  const to = fields.recipient_email ?? recipient(t);
  const { ledger } = t.run;
  const body = { recipient_email: to, properties: {}, ...fields };
  const entry = ledger.openIssued(to, key);
  const what = `send an event (${Object.keys(fields).join(', ')})`;
  const response = await t.send(what, { method: 'POST', path, body, entry, ...withKey(key) });
  const statuses = recordEvent(t, entry, response);
  const created = statuses.filter((status) => status === 'Created').length;
  const sent = { recipient: to, response, statuses };
  const cards = await cardsIn(t, sent, key);
  // If the response shows every card, each card gets its own ledger entry. The entry of the event stays open until the last card is recorded.
  const showsAll = cards.length > 0 && cards.length === created;
  for (const [index, { card }] of [...cards.entries()].toReversed()) {
    const isFirst = showsAll && index === 0;
    if (isFirst) ledger.setCode(entry, card.code);
    ledger.recordResponse(isFirst ? entry : ledger.open(card.code, key), { ...response, json: card });
  }
  return { ...sent, cards };
}

export const automationStatuses = lists['AutomationRun.status'];
const isStatus = (value: unknown) => (automationStatuses as readonly unknown[]).includes(value);
const statusLeaves = (json: unknown) => leaves(json).flatMap(({ value }) => (isStatus(value) ? [String(value)] : []));

/** Returns the statuses of automations in a response. Reads the longest array in which each entry has one status. Without such an array, returns all statuses. */
function statusesIn(json: unknown): string[] {
  const ownStatuses = (entry: unknown): string[] => {
    const own = typeof entry === 'object' && entry !== null ? Object.values(entry).filter(isStatus) : [];
    return own.length > 0 ? (own as string[]) : statusLeaves(entry);
  };
  const lists = arrays(json).map((items) => items.map(ownStatuses));
  const each = lists.filter((entries) => entries.length > 0 && entries.every(({ length }) => length === 1));
  const longest = each.find(({ length }) => each.every((other) => other.length <= length));
  return (longest ?? [statusLeaves(json)]).flat();
}

/** Finds the issued cards. The specification does not name the properties of the response, so the run looks up each value that may be a code or an ID. A card found by an uncertain value counts only if it reached the recipient. */
async function cardsIn(
  t: Trial,
  { response, statuses, recipient: to }: Omit<SentEvent, 'cards'>,
  key?: string,
): Promise<Issued[]> {
  const found = new Map<string, Issued>();
  const created = statuses.filter((status) => status === 'Created').length;
  // An entry about an automation may name its card, too, so these entries come last.
  const isOfRuns = (items: unknown[]) => Number(mentions(items, 'Created'));
  for (const items of arrays(response.json).toSorted((one, other) => isOfRuns(one) - isOfRuns(other)))
    for (const record of items) {
      const isPlain = looksLikeName(record) && !isStatus(record) && items.length === created;
      const [card, name] = await firstCard(t, isPlain ? [record] : likelyNames(record), key);
      // A number, or a text without a property name, may be the ID of another record.
      const isCertain = !isPlain && typeof name === 'string';
      if (!card || !(isCertain || (await reachedRecipient(t, to, [{ record, card }], key)))) continue;
      if (!found.has(card.code)) found.set(card.code, { record, card });
    }
  return [...found.values()];
}

/** Returns values of a record that may be a card's code or ID, with codes first. */
const likelyNames = (record: unknown): unknown[] =>
  leaves(record)
    .filter(({ path: name, value }) => /code|number|id$|ref|card/i.test(name) && looksLikeName(value))
    .toSorted((one, other) => Number(/code/i.test(other.path)) - Number(/code/i.test(one.path)))
    .slice(0, 4)
    .map(({ value }) => value);

/** Returns the first card that has one of the values as its code or ID, and that value. */
async function firstCard(t: Trial, values: readonly unknown[], key?: string): Promise<[card?: Issued['card'], value?: unknown]> {
  for (const value of values)
    for (const lookUp of [getByCode, getById]) {
      const { status, json } = await lookUp(t, String(value), key);
      const card = json as Issued['card'] | null | undefined;
      if (status === 200 && typeof card?.code === 'string') return [card, value];
    }
  return [];
}

/** Reports whether every card shows its recipient, or a search by the recipient's address finds the first card. */
async function reachedRecipient(t: Trial, to: string, cards: readonly Issued[], key?: string): Promise<boolean> {
  if (cards.every(({ card, record }) => mentions(card, to) || mentions(record, to))) return true;
  const first = cards[0]?.card;
  return first !== undefined && holdsCard((await byEmail(t, to, first, key)).json, first);
}

export const automationCount = ({ automations = 1 }: AutomationEvent) => automations;

/** Sends an event with an idempotency key twice, voids the issued cards, and sends an event with the same key and other content. */
export function eventAndRepeats(t: Trial, { name }: AutomationEvent) {
  return t.shared('an automation event and its repeats', async (shared) => {
    const key = shared.run.ledger.unique('GCS-K');
    const fields = { event_name: name, idempotency_key: key, properties: { gcs_run: shared.run.ledger.runId } };
    const first = await event(shared, fields);
    const reached = await reachedRecipient(shared, first.recipient, first.cards);
    const to = { recipient_email: first.recipient };
    const repeat = await sendEvent(shared, { ...fields, ...to });
    for (const { card } of first.cards) await voidByCode(shared, card.code);
    const third = await sendEvent(shared, { ...fields, ...to, amount: 1, properties: { gcs_other: 'content' } });
    return { first, reached, repeat, third, key };
  });
}

export const ownAmount = (t: Trial, { amount }: AutomationEvent) => t.run.client.formatOf().toOwnAmount(amount);

/** An amount that reveals wrong rounding: in binary, 1.15 × 100 is a little less than 115, and cutting off the decimals gives 114. */
export const smallAmount = 1.15;

/** Sends two events with amounts and without an idempotency key. If the target rejects an event, sends the event again with a key. The second amount is a whole number. It is larger than the automation's own amount, unless that amount exceeds 20. */
export function eventsWithAmounts(t: Trial, automation: AutomationEvent) {
  return t.shared('two automation events with amounts', async (shared) => {
    await learnCurrency(shared);
    const own = ownAmount(shared, automation);
    const send = async (amount: number) => {
      const fields = { event_name: automation.name, amount };
      const keyless = await sendEvent(shared, fields);
      if (isSuccess(keyless.response)) return { amount, keyless, last: keyless };
      return {
        amount,
        keyless,
        last: await sendEvent(shared, { ...fields, idempotency_key: shared.run.ledger.unique('GCS-K') }),
      };
    };
    return [await send(smallAmount), await send(own <= 20 ? Math.floor(own) + 1 : 2)];
  });
}

/** Sends events to one recipient until the usage limit skips the automation. If possible, the first two events have a key that another event used. */
export function eventsUntilLimit(t: Trial, name: string) {
  return t.shared('an automation at its usage limit', async (shared) => {
    const to = recipient(shared);
    const { automationEvent } = shared.run.profile;
    const other = automationEvent && automationEvent.name !== name ? await eventAndRepeats(shared, automationEvent) : undefined;
    const key = other?.key ?? shared.run.ledger.unique('GCS-K');
    const fields = { event_name: name, recipient_email: to, amount: 1 };
    const first = await sendEvent(shared, { ...fields, idempotency_key: key });
    const repeat = await sendEvent(shared, { ...fields, idempotency_key: key });
    const sent = [first, repeat, await sendEvent(shared, fields)];
    if (sent[2]?.statuses.includes('Created') && !sent[2].statuses.includes('SkippedUsageLimit'))
      sent.push(await sendEvent(shared, fields));
    mustSucceed((sent.at(-1) as SentEvent).response, 'sending an event');
    if (sent.every(({ statuses }) => statuses.length === 0))
      throw new Untested('fixture-missing', 'the usedUpAutomationEvent of the profile matched no automation; correct its name');
    return sent;
  });
}
