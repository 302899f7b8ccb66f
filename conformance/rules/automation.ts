import { cardStatuses } from '../core/contract.ts';
import { describeResponse, expectAmount, expectSame, expectSuccess, expectThat, isSuccess } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import { leaves, mentions, namesIn, spelledNamesIn } from '../http/json-search.ts';
import type { AutomationEvent } from '../http/target.ts';
import { Untested } from '../safety/policy.ts';
import { controlHolds } from '../scenarios/controls.ts';
import { missingDelivery } from '../scenarios/delivery-content.ts';
import {
  automationCount,
  automationStatuses,
  event,
  eventAndRepeats,
  eventsUntilLimit,
  eventsWithAmounts,
  type Issued,
  idleEvent,
  ownAmount,
  type SentEvent,
  smallAmount,
} from '../scenarios/events.ts';
import { expectPayload } from '../scenarios/payloads.ts';
import { automationDeliveries } from '../scenarios/single-deliveries.ts';

const countOf = ({ statuses }: SentEvent, wanted: string) => statuses.filter((status) => status === wanted).length;

const needs = ['automationEvent'] as const;

async function issuedAndRepeated(t: Trial, event: AutomationEvent) {
  const sent = await eventAndRepeats(t, event);
  controlHolds(t, 'the event issued its cards', sent.first.cards.length === automationCount(event));
  return sent;
}

rule('automation.uses-snake-case', { needs }, async (t, { automationEvent }) => {
  t.doesNotCheck('names within a card of the response (ambiguous)');
  const { first } = await issuedAndRepeated(t, automationEvent);
  const ofCards = new Set(first.cards.flatMap(({ record }) => namesIn(record)));
  const names = spelledNamesIn(first.response.json, ...automationStatuses, first.recipient);
  const others = names.filter((name) => !ofCards.has(name) && !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name));
  expectSame(others, [], 'names in the response that are not in snake_case');
});

async function runsAll(t: Trial, event: AutomationEvent): Promise<void> {
  const { first } = await eventAndRepeats(t, event);
  const [count, wanted] = [Math.max(countOf(first, 'Created'), first.cards.length), automationCount(event)];
  expectThat(count === wanted, `${wanted} automations that ran`, first.statuses.join(', ') || describeResponse(first.response));
}

rule('automation.runs-every-match', { needs }, (t, { automationEvent }) => runsAll(t, automationEvent));

for (const [name, flag, automation] of [
  ['automation.skips-inactive', 'hasInactive', 'inactive automation (hasInactive)'],
  ['automation.skips-other-triggers', 'hasOtherTrigger', 'automation with another trigger (hasOtherTrigger)'],
] as const)
  rule(name, { needs }, async (t, { automationEvent }) => {
    if (!automationEvent[flag]) throw new Untested('fixture-missing', `the profile names no ${automation}`);
    await runsAll(t, automationEvent);
  });

rule('automation.matches-name', { needs }, async (t, { automationEvent }) => {
  await issuedAndRepeated(t, automationEvent);
  const { name } = automationEvent;
  const others = [`${name}-${t.run.ledger.fresh()}`, name.slice(0, -1), name.slice(1)].filter((other) => other !== '');
  for (const other of others) {
    const response = await idleEvent(t, 'with another name', { event_name: other, amount: 1 });
    expectThat(response.status < 500, 'a status below 500', describeResponse(response));
    const statuses = automationStatuses.filter((status) => mentions(response.json, status));
    expectSame(statuses, [], 'statuses of automations for an event with another name');
  }
});

rule('automation.issues-reward-to-recipient', { needs }, async (t, { automationEvent }) => {
  const { first, reached } = await issuedAndRepeated(t, automationEvent);
  expectThat(
    reached,
    'a card that shows its recipient, or that a search by the recipient finds',
    describeResponse(first.response),
  );
});

rule('automation.own-amount', { needs }, async (t, { automationEvent }) => {
  const { first } = await eventAndRepeats(t, automationEvent);
  if (automationCount(automationEvent) > 1) t.doesNotCheck('the amounts of other automations: the profile names only one amount');
  const balances = first.cards.map(({ card }) => card.balance);
  const own = ownAmount(t, automationEvent);
  if (balances.length === 0) throw new Blocked('no card of the event can be looked up');
  expectThat(balances.includes(own), `a card of ${own}`, `cards of ${balances.join(', ')}`);
});

rule('automation.amount-overrides', { needs }, async (t, { automationEvent }) => {
  const { first } = await eventAndRepeats(t, automationEvent);
  const issuesOther = first.cards.some(({ card }) => card.balance !== smallAmount);
  controlHolds(t, `an event without amount issues another amount than ${smallAmount}`, issuesOther);
  for (const { amount, last } of await eventsWithAmounts(t, automationEvent)) {
    expectSuccess(last.response, `an event with amount ${amount}`);
    if (last.cards.length === 0) throw new Blocked('no card of the event can be looked up');
    for (const { card } of last.cards) expectAmount(card.balance, amount, `balance of a card of an event with amount ${amount}`);
  }
});

/** Checks the values of the card that the response shows. The balance and the status must be the same in a lookup. The recipient must be the recipient of the event. */
function showsCard({ record, card }: Issued, { recipient }: SentEvent): void {
  for (const { path, value } of leaves(record)) {
    if (/\/balance$/i.test(path) && typeof value === 'number')
      expectAmount(value, card.balance as number, 'balance of the card in the response');
    if (/\/status$/i.test(path) && cardStatuses.includes(String(value)))
      expectSame(value, card.status, 'status of the card in the response');
    if (/recipient/i.test(path) && /^[^@\s]+@[^@\s]+$/.test(String(value)))
      expectSame(String(value).toLowerCase(), recipient.toLowerCase(), 'recipient of the card in the response');
  }
}

rule('automation.returns-cards-and-runs', { needs }, async (t, { automationEvent }) => {
  const { first, repeat } = await eventAndRepeats(t, automationEvent);
  const wanted = automationCount(automationEvent);
  const isRun = countOf(first, 'Created') === wanted && first.statuses.length === wanted;
  expectThat(
    isRun,
    `${wanted} automations with the status Created`,
    first.statuses.join(', ') || describeResponse(first.response),
  );
  expectThat(first.cards.length === wanted, `${wanted} cards that can be looked up`, `${first.cards.length}`);
  for (const each of first.cards) showsCard(each, first);
  if (!isSuccess(repeat.response)) return t.doesNotCheck('the statuses of a repeat, which the target rejects');
  const hasAll = repeat.statuses.length === wanted;
  expectThat(hasAll, 'a status for each skipped automation', describeResponse(repeat.response));
});

rule('automation.status-created', { needs }, async (t, { automationEvent }) => {
  const { first } = await issuedAndRepeated(t, automationEvent);
  expectSame(countOf(first, 'Created'), first.cards.length, 'automations with the status Created');
});

rule('automation.status-skipped-idempotent', { needs }, async (t, { automationEvent }) => {
  const { repeat } = await issuedAndRepeated(t, automationEvent);
  const wanted = automationCount(automationEvent);
  expectSame(countOf(repeat, 'SkippedIdempotent'), wanted, 'automations with the status SkippedIdempotent');
});

rule('automation.status-skipped-usage-limit', { needs: ['usedUpAutomationEvent'] }, async (t, { usedUpAutomationEvent }) => {
  t.doesNotCheck('the status if both the idempotency_key and the usage limit skip the automation (open)');
  const last = (await eventsUntilLimit(t, usedUpAutomationEvent)).at(-1) as SentEvent;
  expectSuccess(last.response, 'the event of an automation at its usage limit');
  expectSame(last.statuses, ['SkippedUsageLimit'], 'status of the automation at its usage limit');
  expectSame(last.cards.length, 0, 'cards of the automation at its usage limit');
});

rule('idempotency.automation.key-optional', { needs }, async (t, { automationEvent }) => {
  const count = automationCount(automationEvent);
  for (const { keyless, last } of await eventsWithAmounts(t, automationEvent)) {
    const { response, statuses, cards } = keyless;
    mustSucceed(last.response, 'sending an event with a key');
    expectSuccess(response, 'an event without idempotency_key');
    expectSame(statuses, Array(count).fill('Created'), 'statuses of an event without idempotency_key');
    expectSame(cards.length, count, 'cards of an event without idempotency_key');
  }
});

rule('idempotency.automation.skips-repeat', { needs }, async (t, { automationEvent }) => {
  const { repeat, third } = await issuedAndRepeated(t, automationEvent);
  expectSuccess(repeat.response, 'the event again');
  for (const [what, { cards, statuses }] of Object.entries({
    'the same event again': repeat,
    'an event with the same key and other content': third,
  })) {
    expectSame(cards.length, 0, `cards of ${what}`);
    expectThat(!statuses.includes('Created'), `no automation run for ${what}`, statuses.join(', '));
  }
});

const bothEvents = ['automationEvent', 'usedUpAutomationEvent'] as const;

rule('idempotency.automation.runs-those-that-did-not', { needs: bothEvents }, async (t, profile) => {
  t.doesNotCheck('an automation of the same event, if the automation is activated after the first run');
  const { automationEvent, usedUpAutomationEvent } = profile;
  if (usedUpAutomationEvent === automationEvent.name)
    throw new Untested('fixture-missing', 'the profile names the same event in automationEvent and usedUpAutomationEvent');
  await issuedAndRepeated(t, automationEvent);
  const status = (await eventsUntilLimit(t, usedUpAutomationEvent))[0]?.statuses[0];
  if (status === 'SkippedUsageLimit')
    throw new Untested('fixture-missing', `the automation of ${usedUpAutomationEvent} was already at its usage limit`);
  expectSame(status, 'Created', 'status of the automation of another event with the same key');
});

const withReceiver = { needs: ['receiver', 'automationEvent'] } as const;

/** Returns the entries of an object. Converts names to lower case without underscores, because the specification does not state the form of the names. */
function entries(value: unknown): Readonly<Record<string, unknown>> {
  const normal = Object.entries(Object(value)).map(([name, entry]) => [name.toLowerCase().replaceAll('_', ''), entry] as const);
  return Object.fromEntries(normal.sort(([one], [other]) => (one < other ? -1 : 1)));
}

rule('automation.properties-stored', withReceiver, async (t, { automationEvent }) => {
  const { voided, properties, missing } = await automationDeliveries(t, automationEvent.name);
  t.reliesOn(missing);
  if (voided.length === 0) throw new Blocked(missingDelivery('giftcard/voided'));
  for (const { ApiEventProperties } of voided)
    for (const [name, value] of Object.entries(entries(properties)))
      expectSame(entries(ApiEventProperties)[name], value, `the property ${name} in ApiEventProperties of giftcard/voided`);
});

rule('delivery.payload.api-event-properties', withReceiver, async (t, { automationEvent }) => {
  t.doesNotCheck('the letter case of the names of properties');
  const { payloads, properties } = await automationDeliveries(t, automationEvent.name);
  for (const { ApiEventProperties, WebhookTopic } of payloads)
    expectSame(entries(ApiEventProperties), entries(properties), `ApiEventProperties of ${String(WebhookTopic)}`);
});

rule('delivery.payload.api-event-name', withReceiver, async (t, { automationEvent }) => {
  const { payloads } = await automationDeliveries(t, automationEvent.name);
  for (const { ApiEventName } of payloads) expectSame(ApiEventName, automationEvent.name, 'ApiEventName');
  await expectPayload(t, 'bare', 'giftcard/voided', { ApiEventName: null });
});

rule('delivery.payload.automation', withReceiver, async (t, { automationEvent }) => {
  const { payloads } = await automationDeliveries(t, automationEvent.name);
  for (const { AutomationId: id } of payloads)
    expectThat(typeof id === 'string' && id !== '', 'AutomationId as a string', JSON.stringify(id));
  await expectPayload(t, 'bare', 'giftcard/voided', { AutomationId: null });
});

const onBoth = ['automationEvent', 'secondAutomationEvent', 'secondKey'] as const;

rule('idempotency.automation.checked-per-account', { needs: onBoth }, async (t, { automationEvent, secondKey, ...on }) => {
  const { first, repeat, key } = await eventAndRepeats(t, automationEvent);
  const isSkipped = countOf(repeat, 'SkippedIdempotent') === automationCount(automationEvent);
  controlHolds(t, 'the first account skips a repeat with the same key', first.cards.length > 0 && isSkipped);
  const fields = { event_name: on.secondAutomationEvent, amount: 1 };
  const keyless = await event(t, fields, secondKey);
  controlHolds(t, 'an event without a key runs on the other account', keyless.statuses.includes('Created'));
  const { statuses, cards } = await event(t, { ...fields, idempotency_key: key }, secondKey);
  expectThat(!statuses.includes('SkippedIdempotent'), 'no automation of the other account skipped', statuses.join(', '));
  expectThat(statuses.includes('Created') && cards.length > 0, 'a card on the other account', statuses.join(', '));
});
