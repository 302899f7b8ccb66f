import { probe, somethingElse } from '../core/clause.ts';
import { Untested } from '../core/verdict.ts';
import { at, instantOf } from '../http/structure.ts';
import { event } from '../scenarios/events.ts';
import { expiryAt } from '../scenarios/expiry.ts';
import { issuedDeliveries } from '../scenarios/issued-deliveries.ts';

probe('delivery.updated.of-automation-card', { needs: ['receiver', 'automationEvent'] }, async (t, { automationEvent }) => {
  const { payloads } = await issuedDeliveries(t, automationEvent.name);
  // A void may send giftcard/updated as well.
  const ofIssue = payloads.filter(({ WebhookTopic, Status }) => WebhookTopic !== 'giftcard/voided' && Status !== 'Voided');
  const topics = [...new Set(ofIssue.map(({ WebhookTopic }) => String(WebhookTopic)))].sort();
  if (topics.length === 0) return 'none';
  const [topic] = topics.length === 1 ? topics : [];
  if (topic === 'giftcard/updated') return 'updated';
  return topic === 'giftcard/gifted' ? 'gifted' : somethingElse(`sends ${topics.join(' and ')}`);
});

probe('automation.default-expiry', { needsOneOf: ['automationEvent', 'secondAutomationEvent'] }, async (t) => {
  const { automationEvent, defaultExpiryDays = 0, secondAutomationEvent, secondDefaultExpiryDays = 0, secondKey } = t.run.profile;
  const onSecond = secondKey !== undefined && secondDefaultExpiryDays > 0;
  const [name, key] = defaultExpiryDays > 0 ? [automationEvent?.name] : onSecond ? [secondAutomationEvent, secondKey] : [];
  if (name === undefined)
    throw new Untested(
      'fixture-missing',
      'the profile names no event of an account that has a default expiry (automationEvent with defaultExpiryDays, or secondAutomationEvent with secondDefaultExpiryDays)',
    );
  const path = await expiryAt(t);
  const { cards } = await event(t, { event_name: name, amount: 1 }, key);
  const [issued] = cards;
  if (!issued) throw new Untested('control-failed', 'no card of the event can be looked up');
  return instantOf(at(issued.card, path)) === undefined ? 'never-expires' : 'applies';
});
