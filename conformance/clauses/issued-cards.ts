import { clause } from '../core/clause.ts';
import { expectSame, expectThat } from '../core/expect.ts';
import { delivered, orEmpty } from '../scenarios/deliveries.ts';
import { automationCount, event, eventAndRepeats } from '../scenarios/events.ts';
import { automationDeliveries } from '../scenarios/single-deliveries.ts';

/** Statements about cards of automations that only deliveries, or another account, show. */

const needs = ['receiver', 'automationEvent'] as const;

/** The entries by name, without letter case and underscores: the specification does not state the form of their names. */
function entries(value: unknown): Readonly<Record<string, unknown>> {
  const normal = Object.entries(Object(value)).map(([name, entry]) => [name.toLowerCase().replaceAll('_', ''), entry] as const);
  return Object.fromEntries(normal.sort(([one], [other]) => (one < other ? -1 : 1)));
}

clause('automation.properties-stored', { needs }, async (t, { automationEvent }) => {
  const { voided, properties } = await automationDeliveries(t, automationEvent.name);
  for (const { ApiEventProperties } of voided)
    for (const [name, value] of Object.entries(entries(properties)))
      expectSame(entries(ApiEventProperties)[name], value, `the property ${name} when the card is voided later`);
});

clause('delivery.payload.api-event-properties', { needs }, async (t, { automationEvent }) => {
  t.doesNotCheck('the letter case of their names');
  const { payloads, properties } = await automationDeliveries(t, automationEvent.name);
  for (const { ApiEventProperties, WebhookTopic } of payloads)
    expectSame(entries(ApiEventProperties), entries(properties), `ApiEventProperties of ${String(WebhookTopic)}`);
});

clause('delivery.payload.api-event-name', { needs }, async (t, { automationEvent }) => {
  const { payloads } = await automationDeliveries(t, automationEvent.name);
  for (const { ApiEventName } of payloads) expectSame(ApiEventName, automationEvent.name, 'ApiEventName');
  const bare = (await delivered(t, 'bare', 'giftcard/voided')).payload;
  expectSame(orEmpty(bare, 'ApiEventName'), null, 'ApiEventName of a card that no automation issued');
});

clause('delivery.payload.automation', { needs }, async (t, { automationEvent }) => {
  const { payloads } = await automationDeliveries(t, automationEvent.name);
  for (const { AutomationId } of payloads)
    expectThat(typeof AutomationId === 'string' && AutomationId !== '', 'AutomationId as a string', JSON.stringify(AutomationId));
  const bare = (await delivered(t, 'bare', 'giftcard/voided')).payload;
  expectSame(orEmpty(bare, 'AutomationId'), null, 'AutomationId of a card that no automation issued');
});

const onBoth = ['automationEvent', 'secondAutomationEvent', 'secondKey'] as const;

clause('idempotency.automation.checked-per-account', { needs: onBoth }, async (t, { automationEvent, secondKey, ...on }) => {
  const { first, repeat, key } = await eventAndRepeats(t, automationEvent);
  await t.control('the first account skips a repeat with the key', async () => {
    expectThat(first.cards.length > 0, 'cards of the first event', 'none');
    expectSame(repeat.statuses, Array(automationCount(automationEvent)).fill('SkippedIdempotent'), 'statuses of its repeat');
  });
  const fields = { event_name: on.secondAutomationEvent, amount: 1 };
  await t.control('an event without a key runs on the other account', async () =>
    expectThat((await event(t, fields, secondKey)).statuses.includes('Created'), 'Created', 'another status'),
  );
  const { statuses, cards } = await event(t, { ...fields, idempotency_key: key }, secondKey);
  expectThat(!statuses.includes('SkippedIdempotent'), 'no automation of the other account skipped', statuses.join(', '));
  expectThat(statuses.includes('Created') && cards.length > 0, 'a card on the other account', statuses.join(', '));
});
