import { describe, expect, test } from 'vitest';
import { sandboxOf } from '../testing/fixture.ts';
import type { AccountDescription } from '../world/generated/described.ts';

type Automation = NonNullable<AccountDescription['automations']>[number];

/** An account with these automations. Their default event is "review". */
function automated(automations: readonly Partial<Automation>[], account: AccountDescription = {}) {
  const described = automations.map((each, index) => ({ name: `#${index + 1}`, eventName: 'review', ...each }));
  const fixture = sandboxOf([
    { ...account, automations: described },
    { ...account, automations: described },
  ]);
  const [, other] = [...fixture.sandbox.accounts.values()].map(({ keys }) => keys[0]?.key as string);
  const sendEvent = (event: object = {}, key?: string) =>
    fixture.send(
      'POST',
      '/api/AutomationTriggerEvents',
      { event_name: 'review', recipient_email: 'rita@example.com', ...event },
      key,
    );
  return {
    ...fixture,
    sendEvent,
    other: other as string,
    /** The name of the automation and the status of each run. */
    runs: (event: object = {}, key?: string): string[] =>
      sendEvent(event, key).body.automations.map((run: Record<string, string>) => `${run.automation_name} ${run.status}`),
    emails: async () => {
      await fixture.sandbox.settled();
      return fixture.account.effects.outbox.all();
    },
  };
}

describe('which automations run', () => {
  test('automation.runs-every-match, automation.status-created', () => {
    expect(automated([{}, {}, {}]).runs()).toEqual(['#1 Created', '#2 Created', '#3 Created']);
  });

  test('automation.matches-name, automation.event-name-letter-case: the name is exact', () => {
    expect(automated([{}, { eventName: 'order' }, { eventName: 'Review' }]).runs()).toEqual(['#1 Created']);
  });

  test('automation.skips-inactive', () => {
    expect(automated([{ active: false }, {}]).runs()).toEqual(['#2 Created']);
  });

  test('automation.skips-other-triggers, even with a matching event name', () => {
    expect(automated([{ trigger: 'Other' }, {}]).runs()).toEqual(['#2 Created']);
  });

  test('automation.no-match: 200 and two empty lists', () => {
    expect(automated([]).sendEvent()).toMatchObject({ status: 200, body: { gift_cards: [], automations: [] } });
  });
});

describe('the reward', () => {
  test('automation.issues-reward-to-recipient, automation.returns-cards-and-runs: one card and one run per automation', () => {
    const { sendEvent, send } = automated([{ amount: 10 }, { amount: 20 }]);
    const { body } = sendEvent();
    expect(body.gift_cards).toMatchObject([
      { balance: 10, status: 'Active', currency: 'USD', recipient_email_address: 'rita@example.com' },
      { balance: 20, status: 'Active', currency: 'USD', recipient_email_address: 'rita@example.com' },
    ]);
    expect(body.automations.map((run: Record<string, string>) => run.gift_card_id)).toEqual(
      body.gift_cards.map(({ id }: { id: string }) => id),
    );
    const found = send('GET', '/api/GiftCard/GetByEmail?emailAddress=rita@example.com').body;
    expect(new Set(found.map(({ id }: { id: string }) => id))).toEqual(
      new Set(body.gift_cards.map(({ id }: { id: string }) => id)),
    );
  });

  test('automation.issued-card-case, automation.uses-snake-case: every name in the response is in snake_case', () => {
    const { body } = automated([{}]).sendEvent();
    const names = [body, ...body.gift_cards, ...body.automations].flatMap(Object.keys);
    for (const name of names) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  test('automation.own-amount, automation.amount-overrides', () => {
    const { sendEvent } = automated([{ amount: 10 }, { amount: 12.5 }]);
    const amounts = (event: object) => sendEvent(event).body.gift_cards.map(({ balance }: { balance: number }) => balance);
    expect(amounts({})).toEqual([10, 12.5]);
    expect(amounts({ amount: null })).toEqual([10, 12.5]);
    expect(amounts({ amount: 0.1 })).toEqual([0.1, 0.1]);
  });

  test.each([0, -1, 0.001, '10'])(
    'automation.amount-not-positive: an amount of %j is refused and nothing is issued',
    (amount) => {
      const { sendEvent, account } = automated([{}]);
      expect(sendEvent({ amount })).toMatchObject({ status: 400, mediaType: 'text/plain' });
      expect(account.state.count(true)).toBe(0);
    },
  );

  test('automation.default-expiry: the default expiry of the account', () => {
    const { body } = automated([{}], { defaultExpiryDays: 30 }).sendEvent();
    expect(body.gift_cards[0].expires_at_utc).toBe('2026-02-14T12:00:00.000Z');
    expect(automated([{}]).sendEvent().body.gift_cards[0].expires_at_utc).toBeNull();
  });

  test('automation.properties-stored: on the card', () => {
    const { sendEvent, account } = automated([{}]);
    const { body } = sendEvent({ properties: { product: 'Lamp' } });
    expect(account.state.card(body.gift_cards[0].id)).toMatchObject({
      apiEventName: 'review',
      apiEventProperties: { product: 'Lamp' },
    });
  });

  test.each([
    ['automation.event-name-required', { event_name: undefined }],
    ['automation.event-name-required', { event_name: ' ' }],
    ['automation.recipient-required', { recipient_email: undefined }],
    ['automation.malformed-recipient', { recipient_email: 'rita' }],
    ['automation.property-types', { properties: { stars: 5 } }],
    ['automation.property-types', { properties: ['a'] }],
  ])('%s: %j is refused', (_, event) => {
    expect(automated([{}]).sendEvent(event)).toMatchObject({ status: 400, mediaType: 'text/plain' });
  });

  test('automation.properties-required: they are optional', () => {
    expect(automated([{}]).sendEvent({ properties: null }).status).toBe(200);
  });
});

describe('its email', () => {
  test('automation.sends-its-email: each automation sends its own to the recipient', async () => {
    const { sendEvent, emails } = automated([{ emailSubject: 'Thanks' }, { emailSubject: 'More thanks' }]);
    sendEvent();
    expect((await emails()).map(({ to, kind, subject }) => [to, kind, subject])).toEqual([
      ['rita@example.com', 'automation', 'Thanks'],
      ['rita@example.com', 'automation', 'More thanks'],
    ]);
  });

  test('automation.properties-in-email: every placeholder gets the exact value', async () => {
    const { sendEvent, emails } = automated([
      { emailSubject: 'Your {{event.product}}', emailText: '{{event.product}}, {{ event.product }} and {{event.two words}}' },
    ]);
    sendEvent({ properties: { product: '$& {{event.stars}} <b>', 'two words': 'yes', stars: '5' } });
    expect(await emails()).toMatchObject([
      { subject: 'Your $& {{event.stars}} <b>', text: '$& {{event.stars}} <b>, $& {{event.stars}} <b> and yes' },
    ]);
  });

  test('automation.unknown-email-property: its placeholder becomes empty', async () => {
    const { sendEvent, emails } = automated([{ emailText: `<{{event.product}}{{event.toString}}>{{${' '.repeat(100_000)}` }]);
    sendEvent();
    // The time is linear in the number of blanks.
    expect(await emails()).toMatchObject([{ text: expect.stringMatching(/^<>\{\{ {100000}$/) }]);
  });
});

describe('skipped runs', () => {
  test('idempotency.automation.skips-repeat, automation.status-skipped-idempotent: a repeated key issues nothing', async () => {
    const { sendEvent, runs, emails, account } = automated([{}, {}]);
    sendEvent({ idempotency_key: 'order-7' });
    const { status, body } = sendEvent({ idempotency_key: 'order-7' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      gift_cards: [],
      automations: [
        { status: 'SkippedIdempotent', gift_card_id: null },
        { status: 'SkippedIdempotent', gift_card_id: null },
      ],
    });
    expect(account.state.count(true)).toBe(2);
    expect(await emails()).toHaveLength(2);
    expect(runs({ idempotency_key: 'order-8' })).toEqual(['#1 Created', '#2 Created']);
  });

  test('idempotency.automation.key-optional: without a key every event runs', () => {
    const { runs } = automated([{}]);
    for (const event of [{}, {}, { idempotency_key: null }, { idempotency_key: '' }]) expect(runs(event)).toEqual(['#1 Created']);
  });

  test('idempotency.automation.runs-those-that-did-not: the key is stored per automation', () => {
    const { runs } = automated([{ usedIdempotencyKeys: ['order-7'] }, {}]);
    expect(runs({ idempotency_key: 'order-7' })).toEqual(['#1 SkippedIdempotent', '#2 Created']);
  });

  test('idempotency.automation.checked-per-account: the same key runs on another account', () => {
    const { runs, other } = automated([{}]);
    runs({ idempotency_key: 'order-7' });
    expect(runs({ idempotency_key: 'order-7' }, other)).toEqual(['#1 Created']);
  });

  test('idempotency.automation.other-recipient: a repeat for another recipient is skipped', () => {
    const { runs } = automated([{}]);
    runs({ idempotency_key: 'order-7' });
    expect(runs({ idempotency_key: 'order-7', recipient_email: 'other@example.com' })).toEqual(['#1 SkippedIdempotent']);
  });

  test('automation.status-skipped-usage-limit, automation.usage-limit-scope: after the limit, no recipient gets a card', () => {
    const { sendEvent, runs } = automated([{ usageLimit: 2 }, {}]);
    expect(runs()).toEqual(['#1 Created', '#2 Created']);
    expect(runs({ recipient_email: 'other@example.com' })).toEqual(['#1 Created', '#2 Created']);
    const { body } = sendEvent({ recipient_email: 'third@example.com' });
    expect(body.automations).toMatchObject([{ status: 'SkippedUsageLimit', gift_card_id: null }, { status: 'Created' }]);
    expect(body.gift_cards).toHaveLength(1);
  });

  test('idempotency.automation.skipped-run: a run skipped for the limit does not use up the key', () => {
    const { runs, account } = automated([{ usageLimit: 1, uses: 1 }]);
    expect(runs({ idempotency_key: 'order-7' })).toEqual(['#1 SkippedUsageLimit']);
    const [automation] = account.state.automations();
    expect(account.state.hasAutomationRun(automation?.id as string, 'order-7')).toBe(false);
    expect(runs({ idempotency_key: 'order-7' })).toEqual(['#1 SkippedUsageLimit']);
  });

  test('automation.both-skips: the key is checked first', () => {
    const { runs } = automated([{ usageLimit: 1 }]);
    runs({ idempotency_key: 'order-7' });
    expect(runs({ idempotency_key: 'order-7' })).toEqual(['#1 SkippedIdempotent']);
  });

  test('a refused event does not use up the key', () => {
    const { sendEvent, runs } = automated([{}]);
    sendEvent({ idempotency_key: 'order-7', amount: 0 });
    expect(runs({ idempotency_key: 'order-7' })).toEqual(['#1 Created']);
  });
});
