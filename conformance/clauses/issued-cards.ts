import { clause } from '../core/clause.ts';
import { holds, same } from '../core/expect.ts';
import { delivered, orEmpty } from '../scenarios/deliveries.ts';
import { automationCount, event, eventAndRepeats } from '../scenarios/events.ts';
import { automationDeliveries } from '../scenarios/single-deliveries.ts';

/** What is stated of cards that automations issue and only deliveries, or another account, show. */

const needs = ['receiver', 'automationEvent'] as const;

/** Entries whatever the case of their names, of which nothing is stated. */
function entries(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return {};
  const plain = Object.entries(value).map(([name, entry]) => [name.toLowerCase().replaceAll('_', ''), entry] as const);
  return Object.fromEntries(plain.sort(([one], [other]) => (one < other ? -1 : 1)));
}

clause('automation.properties-stored', { needs }, async (t, { automationEvent }) => {
  const { voided, properties } = await automationDeliveries(t, automationEvent.name);
  for (const { ApiEventProperties } of voided)
    for (const [name, value] of Object.entries(entries(properties)))
      same(entries(ApiEventProperties)[name], value, `the property ${name} when the card is voided later`);
});

clause('delivery.payload.api-event-properties', { needs }, async (t, { automationEvent }) => {
  t.doesNotCheck('in which letter case their names are');
  const { payloads, properties } = await automationDeliveries(t, automationEvent.name);
  for (const { ApiEventProperties, WebhookTopic } of payloads)
    same(entries(ApiEventProperties), entries(properties), `ApiEventProperties of ${WebhookTopic}`);
});

clause('delivery.payload.api-event-name', { needs }, async (t, { automationEvent }) => {
  const { payloads } = await automationDeliveries(t, automationEvent.name);
  for (const { ApiEventName } of payloads) same(ApiEventName, automationEvent.name, 'ApiEventName');
  const bare = (await delivered(t, 'bare', 'giftcard/voided')).payload;
  same(orEmpty(bare, 'ApiEventName'), null, 'ApiEventName of a card that no automation issued');
});

clause('delivery.payload.automation', { needs }, async (t, { automationEvent }) => {
  const { payloads } = await automationDeliveries(t, automationEvent.name);
  for (const { AutomationId } of payloads)
    holds(typeof AutomationId === 'string' && AutomationId !== '', 'AutomationId as a text', JSON.stringify(AutomationId));
  const bare = (await delivered(t, 'bare', 'giftcard/voided')).payload;
  same(orEmpty(bare, 'AutomationId'), null, 'AutomationId of a card that no automation issued');
});

const onBoth = ['automationEvent', 'secondAutomationEvent', 'secondKey'] as const;

clause('idempotency.automation.checked-per-account', { needs: onBoth }, async (t, { automationEvent, secondKey, ...on }) => {
  const { first, repeat, key } = await eventAndRepeats(t, automationEvent);
  await t.control('the first account skips what is sent again with the key', async () => {
    holds(first.cards.length > 0, 'cards of the first event', 'none');
    same(repeat.statuses, Array(automationCount(automationEvent)).fill('SkippedIdempotent'), 'statuses of its repeat');
  });
  const fields = { event_name: on.secondAutomationEvent, amount: 1 };
  await t.control('an event without a key runs on the other account', async () =>
    holds((await event(t, fields, secondKey)).statuses.includes('Created'), 'Created', 'no such status'),
  );
  const { statuses, cards } = await event(t, { ...fields, idempotency_key: key }, secondKey);
  holds(!statuses.includes('SkippedIdempotent'), 'no automation of the other account skipped', statuses.join(', '));
  holds(statuses.includes('Created') && cards.length > 0, 'a card on the other account', statuses.join(', '));
});
