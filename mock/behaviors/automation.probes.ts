import type { Fixture } from '../testing/fixture.ts';
import type { AccountFile } from '../world/description.ts';
import type { Probes } from './probe.ts';

const THANKS = {
  name: 'Thanks',
  trigger: 'ApiEvent',
  eventName: 'review',
  amount: 5,
  active: true,
  emailSubject: 'Thanks',
  emailText: 'For {{event.product}} and {{event.missing}}.',
} as const;
const THANKFUL: AccountFile = { automations: [THANKS] };
const EVENT = { event_name: 'review', recipient_email: 'rita@example.com', properties: {} };

function send({ ask }: Fixture, fields: Readonly<Record<string, unknown>> = {}) {
  return ask('POST', '/api/AutomationTriggerEvents', { ...EVENT, ...fields });
}

/** Which of these names the first run of an event has. */
function namesOf(fixture: Fixture, ...names: string[]): string[] {
  return Object.keys(send(fixture).body.automations[0]).filter((name) => names.includes(name));
}

/** The statuses of the runs of some events, one after the other. */
function statusesOf(fixture: Fixture, ...events: Readonly<Record<string, unknown>>[]): string[] {
  return events.map((event) => send(fixture, event).body.automations[0].status);
}

/** The questions of openapi/clauses/automation.yaml. */
export const automationProbes = {
  'automation.event-name-required': {
    account: THANKFUL,
    observe: (fixture) => [undefined, null].map((name) => send(fixture, { event_name: name }).status),
    shows: { required: [400, 400], optional: [200, 200] },
  },
  'automation.recipient-required': {
    account: THANKFUL,
    observe: async (fixture) => {
      const { status, body } = send(fixture, { recipient_email: undefined });
      await fixture.sandbox.settled();
      return [status, body.gift_cards?.[0].recipient_email_address, fixture.account.outbox.emails().length];
    },
    shows: { required: [400, undefined, 0], optional: [200, null, 0] },
  },
  'automation.properties-required': {
    observe: (fixture) => [send(fixture, { properties: undefined }).status, send(fixture, { properties: null }).status],
    shows: { optional: [200, 200], required: [400, 400] },
  },
  'automation.property-types': {
    account: THANKFUL,
    observe: (fixture) => {
      const { status, body } = send(fixture, { properties: { stars: 5, verified: true, product: 'Teapot' } });
      return [status, fixture.account.state.card(body.gift_cards?.[0].id ?? '')?.apiEventProperties];
    },
    shows: { refused: [400, undefined], converted: [200, { stars: '5', verified: 'true', product: 'Teapot' }] },
  },
  'automation.amount-not-positive': {
    account: THANKFUL,
    observe: (fixture) => [send(fixture, { amount: 0 }).status, send(fixture, { amount: -5 }).body.gift_cards?.[0].balance],
    shows: { refused: [400, undefined], accepted: [200, -5] },
  },
  'automation.malformed-recipient': {
    observe: (fixture) => send(fixture, { recipient_email: 'rita' }).status,
    shows: { refused: 400, accepted: 200 },
  },
  'automation.event-name-letter-case': {
    account: THANKFUL,
    observe: (fixture) => send(fixture, { event_name: 'Review' }).body.automations.length,
    shows: { counts: 0, ignored: 1 },
  },
  'automation.no-match': {
    observe: (fixture) => send(fixture).status,
    shows: { 'empty-lists': 200, '404': 404 },
  },
  'automation.cards-name': {
    observe: (fixture) => Object.keys(send(fixture).body)[0],
    shows: { gift_cards: 'gift_cards', cards: 'cards' },
  },
  'automation.runs-name': {
    observe: (fixture) => Object.keys(send(fixture).body)[1],
    shows: { automations: 'automations', results: 'results' },
  },
  'automation.run-id-name': {
    account: THANKFUL,
    observe: (fixture) => namesOf(fixture, 'automation_id', 'id'),
    shows: { automation_id: ['automation_id'], id: ['id'] },
  },
  'automation.run-title-name': {
    account: THANKFUL,
    observe: (fixture) => namesOf(fixture, 'automation_name', 'name'),
    shows: { automation_name: ['automation_name'], name: ['name'] },
  },
  'automation.run-card-name': {
    account: THANKFUL,
    observe: (fixture) => namesOf(fixture, 'gift_card_id', 'card_id'),
    shows: { gift_card_id: ['gift_card_id'], card_id: ['card_id'] },
  },
  'automation.issued-card-case': {
    account: THANKFUL,
    observe: (fixture) => Object.keys(send(fixture).body.gift_cards[0]).filter((name) => /^recipient|^view|^created/.test(name)),
    shows: {
      'snake-case': ['recipient_email_address', 'created_at_utc', 'view_balance_url'],
      'camel-case': ['recipientEmailAddress', 'createdAtUtc', 'viewBalanceUrl'],
    },
  },
  'automation.usage-limit-scope': {
    account: { automations: [{ ...THANKS, usageLimit: 1 }] },
    observe: (fixture) =>
      statusesOf(fixture, {}, { recipient_email: 'Rita@example.com' }, { recipient_email: 'ben@example.com' }),
    shows: {
      automation: ['Created', 'SkippedUsageLimit', 'SkippedUsageLimit'],
      recipient: ['Created', 'SkippedUsageLimit', 'Created'],
    },
  },
  'automation.both-skips': {
    account: { automations: [{ ...THANKS, usageLimit: 1 }] },
    observe: (fixture) => statusesOf(fixture, { idempotency_key: 'one' }, { idempotency_key: 'one' }, { idempotency_key: 'two' }),
    shows: {
      SkippedIdempotent: ['Created', 'SkippedIdempotent', 'SkippedUsageLimit'],
      SkippedUsageLimit: ['Created', 'SkippedUsageLimit', 'SkippedUsageLimit'],
    },
  },
  'automation.default-expiry': {
    account: { ...THANKFUL, defaultExpiryDays: 10 },
    observe: (fixture) => send(fixture).body.gift_cards[0].expires_at_utc,
    shows: { applies: '2026-01-25T12:00:00.000Z', 'never-expires': null },
  },
  'automation.unknown-email-property': {
    account: THANKFUL,
    observe: async (fixture) => {
      send(fixture, { properties: { product: 'Teapot' } });
      await fixture.sandbox.settled();
      return fixture.account.outbox.emails()[0]?.text;
    },
    shows: { nothing: 'For Teapot and .', 'the-token': 'For Teapot and {{event.missing}}.' },
  },
} satisfies Partial<Probes>;
