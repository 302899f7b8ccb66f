import { expectStatus } from '../core/expect.ts';
import { probe, unlisted } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import { arrays, at, instantOf, namesIn } from '../http/json-search.ts';
import { Untested } from '../safety/policy.ts';
import { accountWith, expiryPath } from '../scenarios/card-dates.ts';
import {
  event,
  eventAndRepeats,
  eventsUntilLimit,
  idleEvent,
  recipient,
  type SentEvent,
  unmatchedEvent,
} from '../scenarios/events.ts';
import { sendList } from '../scenarios/lists.ts';
import { automationDeliveries } from '../scenarios/single-deliveries.ts';
import { optionFor, rejectedOr } from './responses.ts';

/** Sends an event that matches no automation, and another such event with odd fields. Returns `accepted` if the statuses are equal. */
async function oddEvent<R extends string, A extends string>(t: Trial, what: string, fields: object, rejected: R, accepted: A) {
  await t.control('the list', async () => expectStatus(await sendList(t, { pageSize: 1 }), 200, 'the request'));
  const usual = await unmatchedEvent(t);
  if (usual.status !== 200 && usual.status !== 404)
    return unlisted(`returns ${usual.status} to every event that matches no automation`);
  const response = await idleEvent(t, what, { ...fields });
  return response.status === usual.status ? accepted : rejectedOr(response, rejected, accepted);
}

probe('automation.properties-required', {}, (t) =>
  oddEvent(t, 'without properties', { properties: undefined }, 'required', 'optional'),
);

probe('automation.property-types', {}, (t) =>
  oddEvent(t, 'with a property that is a number', { properties: { gcs_number: 5 } }, 'refused', 'converted'),
);

probe('automation.no-match', {}, async (t) => {
  const response = await unmatchedEvent(t);
  if (response.status === 404) return '404';
  if (response.status !== 200) return unlisted(`returns ${response.status}`);
  const lists = arrays(response.json);
  const isEmpty = lists.length === 2 && lists.every(({ length }) => length === 0);
  return isEmpty ? 'empty-lists' : unlisted(`returns 200 with ${lists.length} lists`);
});

const needs = ['automationEvent'] as const;

probe('automation.issued-card-case', { needs }, async (t, { automationEvent }) => {
  const { first } = await eventAndRepeats(t, automationEvent);
  const names = first.cards.flatMap(({ record }) => namesIn(record));
  if (names.length === 0) throw new Untested('fact-missing', 'the response shows no card');
  const [isSnake, isCamel] = [names.some((name) => name.includes('_')), names.some((name) => /[a-z][A-Z]/.test(name))];
  if (isSnake === isCamel) return unlisted(`has the names ${names.slice(0, 12).join(', ')}`);
  return isSnake ? 'snake-case' : 'camel-case';
});

const firstStatus = ({ statuses }: SentEvent): string => statuses[0] ?? 'no status';

const usageLimit = { needs: ['usedUpAutomationEvent'] } as const;

function mustBeUsedUp(status: string): void {
  if (status !== 'SkippedUsageLimit')
    throw new Untested('fixture-missing', `the automation is not at its usage limit: it shows ${status}`);
}

probe('automation.usage-limit-scope', usageLimit, async (t, { usedUpAutomationEvent: name }) => {
  const sent = await eventsUntilLimit(t, name);
  mustBeUsedUp(firstStatus(sent.at(-1) as SentEvent));
  const status = firstStatus(await event(t, { event_name: name, amount: 1 }));
  return optionFor(status, { SkippedUsageLimit: 'automation', Created: 'recipient' });
});

probe('idempotency.automation.skipped-run', usageLimit, async (t, { usedUpAutomationEvent: name }) => {
  await eventsUntilLimit(t, name);
  const fields = { event_name: name, amount: 1, idempotency_key: t.run.ledger.unique('GCS-K'), recipient_email: recipient(t) };
  const [first, second] = [firstStatus(await event(t, fields)), firstStatus(await event(t, fields))];
  mustBeUsedUp(first);
  return optionFor(second, { SkippedIdempotent: 'yes', SkippedUsageLimit: 'no' });
});

probe('idempotency.automation.other-recipient', { needs }, async (t, { automationEvent }) => {
  const { key } = await eventAndRepeats(t, automationEvent);
  const { statuses } = await event(t, { event_name: automationEvent.name, amount: 1, idempotency_key: key });
  return optionFor([...new Set(statuses)].join(), { SkippedIdempotent: 'yes', Created: 'no' });
});

probe('automation.default-expiry', { needsOneOf: ['automationEvent', 'secondAutomationEvent'] }, async (t) => {
  const { automationEvent, secondAutomationEvent } = t.run.profile;
  const account = accountWith(t, 'a default expiry');
  const name = account && (account.key === undefined ? automationEvent?.name : secondAutomationEvent);
  const entries = 'automationEvent with defaultExpiryDays, or secondAutomationEvent with secondDefaultExpiryDays';
  if (name === undefined)
    throw new Untested('fixture-missing', `the profile names no event on an account with a default expiry (${entries})`);
  const path = await expiryPath(t);
  const [issued] = (await event(t, { event_name: name, amount: 1 }, account?.key)).cards;
  if (!issued) throw new Untested('control-failed', 'no card of the event can be looked up');
  return instantOf(at(issued.card, path)) === undefined ? 'never-expires' : 'applies';
});

probe('delivery.updated.of-automation-card', { needs: ['receiver', 'automationEvent'] }, async (t, { automationEvent }) => {
  const { payloads } = await automationDeliveries(t, automationEvent.name);
  // The void of a card may also send giftcard/updated, so deliveries about voided cards do not count.
  const ofIssue = payloads.filter(({ WebhookTopic, Status }) => WebhookTopic !== 'giftcard/voided' && Status !== 'Voided');
  const topics = [...new Set(ofIssue.map(({ WebhookTopic }) => String(WebhookTopic)))].sort().join(' and ');
  return optionFor(topics, { '': 'none', 'giftcard/updated': 'updated', 'giftcard/gifted': 'gifted' });
});
