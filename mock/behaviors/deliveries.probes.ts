import { vi } from 'vitest';
import { type Fixture, NOON } from '../testing/fixture.ts';
import { Receiver } from '../testing/receiver-fixture.ts';
import { GIFTED, NOTIFIED } from '../testing/shop-fixture.ts';
import type { Probes } from './probe.ts';
import { receiving } from './receiving.ts';

/** The topics that a card of these fields sends. */
async function topicsOf(fixture: Fixture, fields: Readonly<Record<string, unknown>>): Promise<string[]> {
  const receiver = await receiving(fixture);
  fixture.create(fields);
  await fixture.sandbox.settled();
  return receiver.topics;
}

/** What arrives of the delivery of a card, of a webhook with a token. */
async function received(fixture: Fixture) {
  const receiver = await receiving(fixture, { requestHeaderVerificationToken: 'a secret' });
  fixture.create(NOTIFIED);
  await fixture.sandbox.settled();
  const [first] = receiver.received;
  if (!first) throw new Error('Nothing arrived.');
  return first;
}

const THANKS = {
  automations: [{ name: 'Thanks', trigger: 'ApiEvent', eventName: 'review', amount: 5, active: true }],
} as const;

/** The questions of openapi/clauses/deliveries.yaml. */
export const deliveriesProbes = {
  'delivery.updated.without-notification': {
    observe: (fixture) => topicsOf(fixture, {}),
    shows: { 'not-sent': [], sent: ['giftcard/updated'] },
  },
  'delivery.updated.beside-gifted': {
    observe: (fixture) => topicsOf(fixture, GIFTED),
    shows: { no: ['giftcard/gifted'], yes: ['giftcard/gifted', 'giftcard/updated'] },
  },
  'delivery.gifted.with-emails-disabled': {
    observe: (fixture) => topicsOf(fixture, { ...GIFTED, disableEmails: true }),
    shows: { no: [], yes: ['giftcard/gifted'] },
  },
  'delivery.updated.of-automation-card': {
    account: THANKS,
    observe: async (fixture) => {
      const receiver = await receiving(fixture);
      fixture.ask('POST', '/api/AutomationTriggerEvents', {
        event_name: 'review',
        recipient_email: 'rita@example.com',
        properties: {},
      });
      await fixture.sandbox.settled();
      return receiver.topics;
    },
    shows: { updated: ['giftcard/updated'], gifted: ['giftcard/gifted'], none: [] },
  },
  'delivery.failure': {
    observe: async (fixture) => {
      const receiver = await receiving(fixture);
      receiver.answer = (response, position) => response.writeHead(position === 0 ? 404 : 500).end();
      for (let i = 0; i < 2; i++) {
        fixture.create(NOTIFIED);
        await fixture.sandbox.settled();
      }
      return fixture.account.deliveries.all().map(({ state }) => state);
    },
    shows: { 'anything-but-2xx': ['failed', 'failed'], 'no-answer-or-5xx': ['delivered', 'failed'] },
  },
  'delivery.time-out': {
    observe: async (fixture) => {
      const receiver = await receiving(fixture);
      receiver.answer = () => {};
      // The seconds fly: a signal for any number of them comes at once.
      const clock = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
        return AbortSignal.abort(new DOMException('Time is up', 'TimeoutError'));
      });
      fixture.create(NOTIFIED);
      await fixture.sandbox.settled();
      clock.mockRestore();
      return fixture.account.deliveries.all()[0]?.result;
    },
    shows: {
      '5': { error: 'no answer within 5 seconds' },
      '10': { error: 'no answer within 10 seconds' },
      '30': { error: 'no answer within 30 seconds' },
    },
  },
  'delivery.redirects': {
    observe: async (fixture) => {
      const [receiver, elsewhere] = [await receiving(fixture), await Receiver.start()];
      receiver.answer = (response) => response.writeHead(307, { location: elsewhere.url }).end();
      fixture.create(NOTIFIED);
      await fixture.sandbox.settled();
      return [fixture.account.deliveries.all()[0]?.state, elsewhere.topics];
    },
    shows: { failed: ['failed', []], followed: ['delivered', ['giftcard/updated']] },
  },
  'delivery.order': {
    observe: async (fixture) => {
      const seen: string[] = [];
      const [slow, quick] = [await receiving(fixture), await receiving(fixture)];
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      slow.answer = (response, position) => {
        seen.push(`delivery ${position} came`);
        if (position === 0)
          void held.then(() => {
            seen.push('delivery 0 is answered');
            response.end();
          });
        else response.end();
      };
      // By the time that the other webhook has had its third, the second of this one has long been sent, if it is sent at all.
      for (let i = 1; i <= 3; i++) {
        fixture.create(NOTIFIED);
        await quick.arrived(i);
      }
      release();
      await fixture.sandbox.settled();
      return seen.slice(0, 2);
    },
    shows: {
      'as-they-happened': ['delivery 0 came', 'delivery 0 is answered'],
      any: ['delivery 0 came', 'delivery 1 came'],
    },
  },
  'delivery.waiting-when-webhook-goes': {
    observe: async (fixture) => {
      const receiver = await receiving(fixture);
      const [webhook] = fixture.account.state.webhooks();
      receiver.answer = (response, position) => {
        if (position === 0) fixture.ask('DELETE', `/api/Webhook/Delete/${webhook?.id}`);
        response.end();
      };
      fixture.create(NOTIFIED);
      fixture.create(NOTIFIED);
      await fixture.sandbox.settled();
      return receiver.received.length;
    },
    shows: { dropped: 1, sent: 2 },
  },
  'delivery.missed-while-unsubscribed': {
    account: { subscriptionActive: false },
    observe: async (fixture) => {
      const receiver = await receiving(fixture);
      fixture.create(NOTIFIED);
      await fixture.sandbox.settled();
      const before = receiver.received.length;
      fixture.account.useSettings({ ...fixture.account.settings, subscriptionActive: true }, NOON);
      await fixture.sandbox.settled();
      return [before, receiver.received.length];
    },
    shows: { lost: [0, 0], 'sent-later': [0, 1] },
  },
  'delivery.values-as-of': {
    observe: async (fixture) => {
      const receiver = await receiving(fixture);
      const { code } = fixture.create(NOTIFIED);
      fixture.adjust(code, 5);
      await fixture.sandbox.settled();
      return receiver.payloads.map(({ Balance, TotalIssuedAmount }) => [Balance, TotalIssuedAmount]);
    },
    shows: { event: [[25, 25]], sending: [[25, 30]] },
  },
  'delivery.content-type': {
    observe: async (fixture) => (await received(fixture)).headers['content-type'],
    shows: { 'application-json': 'application/json', 'with-charset': 'application/json; charset=utf-8' },
  },
  'delivery.json-text': {
    observe: async (fixture) => (await received(fixture)).bytes.includes('\n'),
    shows: { compact: false, indented: true },
  },
  'delivery.signature-header-case': {
    observe: async (fixture) => (await received(fixture)).rawHeaders.filter((name) => /^hmac-signature/i.test(name)),
    shows: { 'as-written': ['HMAC-Signature-SHA256'], 'lower-case': ['hmac-signature-sha256'] },
  },
} satisfies Partial<Probes>;
