import { refused } from '../../mock/pipeline/refusal.ts';
import type { CardRecord, WebhookRecord } from '../../mock/state/records.ts';
import {
  body,
  decide,
  type Mutation,
  type Mutations,
  outcome,
  puts,
  rejects,
  reply,
  state,
  status,
  text,
  webhook,
} from './mutation.ts';
import { payload, posting } from './posting.ts';

const HOUR = 3_600_000;
const trigger = 'createAutomationTriggerEvent';
const create = 'createGiftCard';

/** Changes the automations that an event finds. */
const automations = (change: (automation: Automation, name: string | undefined) => Automation | undefined) =>
  state(trigger, (view, { event_name }) => ({
    automations: () => [...view.automations()].flatMap((each) => change(each, event_name) ?? []),
  }));
type Automation = Parameters<Parameters<typeof puts<'automations'>>[1]>[0];

/** Changes whether an automation has already run with the idempotency key. */
const ran = (
  change: (has: boolean, about: { id: string; amount: number | undefined | null; cards: readonly CardRecord[] }) => boolean,
) =>
  state(trigger, (view, { amount, recipient_email }) => ({
    hasAutomationRun: (id, key) =>
      change(view.hasAutomationRun(id, key), { id, amount, cards: view.cardsByRecipient(recipient_email) }),
  }));

const rewards = (change: (made: CardRecord) => Partial<CardRecord>) =>
  puts('cards', (made, { what }) => (what === trigger && made.automationId !== null ? { ...made, ...change(made) } : made));
const properties = (change: (value: string) => string) =>
  payload(({ ApiEventProperties: given, ...rest }) =>
    given
      ? { ...rest, ApiEventProperties: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, change(value)])) }
      : rest,
  );

export const eventMutations: Mutations = {
  'automation.uses-snake-case': text(trigger, (json) => json.replace('"gift_cards"', '"giftCards"')),
  'automation.runs-every-match': state(trigger, (view, { event_name: name }) => ({
    automations: () => firstMatch(view.automations(), name),
  })),
  'automation.matches-name': automations((each, name) =>
    name?.startsWith(each.eventName) ? { ...each, eventName: name } : each,
  ),
  'automation.skips-inactive': automations((each) => ({ ...each, active: true })),
  'automation.skips-other-triggers': automations((each) => ({ ...each, trigger: 'ApiEvent' })),
  'automation.issues-reward-to-recipient': body(trigger, () => ({ recipient_email: 'someone@example.com' })),
  'automation.own-amount': automations((each) => ({ ...each, amount: 2 * each.amount })),
  'automation.amount-overrides': [
    decide(trigger, (next, input, context) => {
      const own = Math.max(...Array.from(context.state.automations(), ({ amount }) => amount)) / 100;
      const { amount } = input.body;
      return next({ ...input, body: { ...input.body, ...(amount ? { amount: Math.max(amount, own) } : {}) } }, context);
    }),
    body(trigger, ({ amount }) => (amount ? { amount: Math.min(amount, 10) } : {})),
    body(trigger, ({ amount }) => (amount ? { amount: Math.trunc(amount) } : {})),
  ],
  'automation.answers-cards-and-runs': [
    reply(trigger, ({ automations: runs }) => ({
      gift_cards: [],
      automations: runs.map((each) => ({ ...each, gift_card_id: null })),
    })),
    reply(trigger, (shown) => ({ ...shown, gift_cards: shown.gift_cards.map((each) => ({ ...each, balance: 0 })) })),
  ],
  'automation.status-created': text(trigger, (json) => json.replaceAll('"Created"', '"Issued"')),
  'automation.status-skipped-idempotent': text(trigger, (json) => json.replaceAll('"SkippedIdempotent"', '"SkippedUsageLimit"')),
  'automation.status-skipped-usage-limit': automations((each) => ({ ...each, usageLimit: null })),
  'automation.properties-stored': [
    rewards(() => ({ apiEventProperties: null })),
    properties((value) => value.trim()),
    payload((given) =>
      JSON.parse(JSON.stringify(given).replace('"number":"42"', '"number":42').replace('"flag":"true"', '"flag":true')),
    ),
  ],
  'idempotency.automation.key-optional': body(trigger, ({ idempotency_key, event_name }) => ({
    idempotency_key: idempotency_key ?? event_name,
  })),
  'idempotency.automation.skips-repeat': [
    () => {
      const amounts = new Map<string, unknown>();
      return ran((has, { id, amount }) => {
        if (!has) amounts.set(id, amount);
        return has && amounts.get(id) === amount;
      })();
    },
    ran((has, { id, cards }) => has && cards.some((each) => each.automationId === id && each.status !== 'Voided')),
  ],
  'idempotency.automation.runs-those-that-did-not': sharedKeys,
  'idempotency.automation.checked-per-account': sharedKeys,
  'delivery.expired.on-expiry': [
    ...[1, 24].map((hours) =>
      puts('cards', (made) =>
        made.expiresAt === null || made.status !== 'Active' ? made : { ...made, expiresAt: made.expiresAt - hours * HOUR },
      ),
    ),
  ],
  'emails.gifted-deferred': body(create, () => ({ giftScheduledForUtc: null as unknown as string })),
  'webhook.create.answers-200': status('createWebhook', 201),
  'webhook.create.registers': outcome('createWebhook', (decided) => ({ ...decided, changes: [] })),
  'webhook.create.takes-description': rejects('createWebhook', ({ description }) => /["<]/.test(description ?? '')),
  'webhook.create.token-optional': rejects('createWebhook', ({ requestHeaderVerificationToken: token }) => !token),
  'webhook.create.same-url-again': rejects('createWebhook', ({ url }, { state: view }) =>
    [...view.webhooks()].some((each) => each.url === url),
  ),
  'webhook.list.of-account': reply('listWebhooks', (shown) => shown.slice(0, 2)),
  'webhook.list.enabled-only': state('listWebhooks', (view) => ({
    webhooks: () => Array.from(view.webhooks(), (each) => ({ ...each, enabled: true })),
  })),
  'webhook.delete.removes': deletes((id, registered) =>
    registered.filter(({ url }) => url === registered.find((each) => each.id === id)?.url),
  ),
  'webhook.delete.unknown-is-404': decide('deleteWebhook', (next, input, context) => {
    const decided = next(input, context);
    return refused(decided) ? { reply: true, changes: [], effects: [] } : decided;
  }),
  'webhook.disabled-after-failures': [
    webhook((made) => ({ ...made, enabled: made.enabled && made.failures < 5 })),
    webhook((made) => ({ ...made, enabled: made.failures < 7 })),
    webhook((made) => (made.token === null ? made : { ...made, failures: 0, enabled: true })),
  ],
  'webhook.failures-count-for-life': forgivesAfterSuccess(),
  'webhook.disabled-gets-no-deliveries': () => ({
    ...webhook((made) => ({ ...made, enabled: true }))(),
    ...state('listWebhooks', (view) => ({ webhooks: () => [...view.webhooks()].filter(({ failures }) => failures < 6) }))(),
  }),
  'webhook.create-again-re-enables': webhook((made, { before, state: view }) =>
    before === undefined && [...view.webhooks()].some(({ enabled, url }) => !enabled && url === made.url)
      ? { ...made, enabled: false }
      : made,
  ),
};

/** Treats an idempotency key as used for all automations of all accounts as soon as one automation has used it. */
function sharedKeys(): Mutation {
  const keys = new Set<string>();
  return state(trigger, (view) => ({
    hasAutomationRun: (id, kept) => {
      const key = kept.split(' ', 1)[0] as string;
      const has = view.hasAutomationRun(id, kept) || keys.has(key);
      // The key counts as used only after this event, because the event's other automations must still run.
      queueMicrotask(() => keys.add(key));
      return has;
    },
  }))();
}

/** Removes all automations that match the event, except the first. */
function firstMatch(all: Iterable<Automation>, name: string | undefined): Automation[] {
  const isMatch = (each: Automation) => each.active && each.trigger === 'ApiEvent' && each.eventName === name;
  const [first] = [...all].filter(isMatch);
  return [...all].filter((each) => !isMatch(each) || each === first);
}

/** Deletes the webhooks that `which` selects. */
function deletes(which: (id: string, registered: readonly WebhookRecord[]) => readonly WebhookRecord[]) {
  return decide('deleteWebhook', (next, input, context) => {
    const decided = next(input, context);
    if (refused(decided)) return decided;
    const removed = which(String(input.parameters.id), [...context.state.webhooks()]);
    return { ...decided, changes: removed.map(({ id }) => ({ table: 'webhooks', remove: id })) };
  });
}

/** Resets the failure count after a success. */
function forgivesAfterSuccess(): () => Mutation {
  return () => {
    const successes = new Set<string>();
    return {
      ...posting(async ({ url }, post) => {
        const code = await post();
        if (code >= 200 && code < 300) successes.add(url);
      })(),
      ...webhook((made, { before }) =>
        before && made.failures > before.failures && successes.delete(made.url ?? '')
          ? { ...made, failures: 1, enabled: true }
          : made,
      )(),
    };
  };
}
