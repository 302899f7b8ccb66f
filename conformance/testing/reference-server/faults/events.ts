import { runAutomations } from '../events.ts';
import type { ServerAutomation } from '../records.ts';
import { api, body, changesResponse, type FaultTable, on, refusesIf, statusAs, without } from './fault.ts';
import type { ServerCall } from './hooks.ts';

type EventResponse = Readonly<
  Record<'made_now', readonly unknown[]> & Record<'by_rule', readonly Readonly<Record<string, unknown>>[]>
>;

const response = (change: (given: EventResponse) => unknown) =>
  changesResponse(api.event, (json) => change(json as EventResponse));
const shows = (wanted: string, instead: string) =>
  response(({ by_rule, ...given }) => ({
    ...given,
    by_rule: by_rule.map((run) => (run.came_to === wanted ? { ...run, came_to: instead } : run)),
  }));

/** Runs an event while the automations have other values. */
const automations = (change: (given: ServerAutomation, call: ServerCall) => Partial<ServerAutomation>) =>
  on(api.event, (call, next) =>
    next({
      ...call,
      account: { ...call.account, automations: call.account.automations.map((each) => ({ ...each, ...change(each, call) })) },
    }),
  );

/** Changes the amount of an event that has one. */
const amounts = (change: (amount: number) => number) =>
  body(api.event, ({ amount, ...given }) => (amount === undefined ? given : { ...given, amount: change(Number(amount)) }));
/** Changes the values of an event's properties. */
const properties = (change: (value: unknown) => unknown) =>
  body(api.event, (given) => ({
    ...given,
    properties: Object.fromEntries(Object.entries(Object(given.properties)).map(([name, value]) => [name, change(value)])),
  }));

const withoutKey = ({ idempotency_key: _, ...given }: ServerCall['body']) => given;
const isKeyUsed = ({ account, body: { idempotency_key } }: ServerCall) =>
  account.automations.some(({ runs }) => runs.has(idempotency_key));

/** With texts as IDs, the suite recognizes the cards of an event by their IDs alone. */
const textIds = { idOf: (serial: number) => `card-${serial}` };

export const eventFaults: FaultTable = {
  'automation.runs-every-match': {
    'runs one automation of an event': on(api.event, (call, next) =>
      without(call.account.automations, ({ id }) => id === 12, next, call),
    ),
    // The suite sees more automations than the event has, before it sends another event.
    'runs all automations at every event': automations((_, { body: { event_name } }) => ({ event: String(event_name) })),
  },
  'automation.matches-name': {
    'runs automations whose event begins alike': automations(({ event }, { body: { event_name } }) =>
      String(event_name).startsWith(event) ? { event: String(event_name) } : {},
    ),
  },
  'automation.skips-inactive': { 'runs inactive automations': automations(() => ({ isActive: true })) },
  'automation.skips-other-triggers': { 'runs automations with another trigger': automations(() => ({ trigger: 'API event' })) },
  'automation.issues-reward-to-recipient': {
    'issues rewards without a recipient': [body(api.event, ({ recipient_email: _, ...given }) => given), textIds],
  },
  'automation.own-amount': { 'issues half of the own amount': automations(({ amount }) => ({ amount: amount / 2 })) },
  'automation.amount-overrides': {
    'takes the larger of the own amount and that of an event': amounts((amount) => Math.max(amount, 7)),
    'limits the amount of an event to the own amount': amounts((amount) => Math.min(amount, 7)),
    'cuts the cents of an amount': amounts(Math.trunc),
    'ignores a whole amount of an event': body(api.event, ({ amount, ...given }) =>
      Number.isInteger(amount) ? given : { amount, ...given },
    ),
  },
  'automation.properties-stored': {
    'drops properties of events': body(api.event, (given) => ({ ...given, properties: {} })),
    'trims properties of events': properties((value) => String(value).trim()),
    'stores properties of events as numbers': properties((value) => (/^\d+$/.test(String(value)) ? Number(value) : value)),
  },
  'automation.uses-snake-case': {
    'responds to events in camelCase': response(({ made_now, by_rule }) => ({ madeNow: made_now, byRule: by_rule })),
  },
  'automation.returns-cards-and-runs': {
    'shows zero as the balance of issued cards': response(({ made_now, ...given }) => ({
      ...given,
      made_now: made_now.map((made) => ({ ...Object(made), balance: 0 })),
    })),
    'responds to events without statuses': response(({ made_now }) => ({ made_now })),
    'responds to events without cards': response(({ by_rule }) => ({ by_rule })),
    'returns 201 to events': statusAs(200, 201, api.event),
  },
  'automation.status-created': { 'shows Success instead of Created': shows('Created', 'Success') },
  'automation.status-skipped-idempotent': {
    'shows Skipped for a repeated event': shows('SkippedIdempotent', 'Skipped'),
    'shows Created for a repeated event': shows('SkippedIdempotent', 'Created'),
  },
  'automation.status-skipped-usage-limit': {
    'ignores the usage limit': automations(() => ({ limit: Number.POSITIVE_INFINITY })),
  },
  'idempotency.automation.key-optional': {
    'reads a missing idempotency_key as one value': body(api.event, (given) => ({ idempotency_key: 'none', ...given })),
    'requires an idempotency_key': refusesIf(api.event, (call) => call.body.idempotency_key === undefined),
  },
  'idempotency.automation.skips-repeat': {
    'runs an event again with a used key': body(api.event, withoutKey),
    'checks an idempotency_key with the amount': body(api.event, ({ idempotency_key: key, ...given }) => ({
      ...given,
      ...(key === undefined ? {} : { idempotency_key: `${key} ${given.amount}` }),
    })),
    'runs an event again after the void of its cards': on(api.event, (call, next) => {
      const { cards, automations: all } = call.account;
      const hasLiveCard = (id: number) => cards.some(({ fields, status }) => fields.automation === id && status !== 'Voided');
      for (const { id, runs } of all) if (!hasLiveCard(id)) runs.clear();
      return next(call);
    }),
    'refuses an event with a used key': refusesIf(api.event, isKeyUsed),
  },
  'idempotency.automation.runs-those-that-did-not': {
    'skips all automations for a used key': automations((_, call) =>
      isKeyUsed(call) ? { runs: new Set([call.body.idempotency_key]), limit: Number.POSITIVE_INFINITY } : {},
    ),
  },
  'idempotency.automation.checked-per-account': {
    // Only this rule sends events to the second account. It looks up the cards on that account.
    'runs the automations of another account': on(api.event, ({ account, body: given }) =>
      runAutomations(account.service.accounts[0], given),
    ),
  },
};
