import type { Fixture } from '../testing/fixture.ts';
import { Receiver } from '../testing/receiver-fixture.ts';
import { NOTIFIED } from '../testing/shop-fixture.ts';
import type { Probes } from './probe.ts';

const URL = 'https://shop.example.com/deliveries';
const DISABLED = {
  id: '7c1d4f0e-2b6a-4c3d-8e9f-0a1b2c3d4e5f',
  url: URL,
  description: 'Shop',
  requestHeaderVerificationToken: null,
  failures: 6,
  enabled: false,
} as const;

function register({ ask }: Fixture, fields: Readonly<Record<string, unknown>> = {}) {
  return ask('POST', '/api/Webhook/Create', { url: URL, description: 'Shop', ...fields });
}

function listed({ ask }: Fixture) {
  return ask('GET', '/api/Webhook/List').body;
}

/** Which of these names a listed webhook has. */
function namesOf(fixture: Fixture, ...names: string[]): string[] {
  register(fixture);
  return Object.keys(listed(fixture)[0]).filter((name) => names.includes(name));
}

/** The questions of openapi/clauses/webhooks.yaml. */
export const webhooksProbes = {
  'webhook.create.body': {
    observe: (fixture) => {
      const { body } = register(fixture);
      return typeof body === 'object' ? Object.keys(body) : body;
    },
    shows: { 'the-record': ['id', 'url', 'description', 'createdAtUtc'], true: true, empty: '' },
  },
  'webhook.list.shape': { observe: listed, shows: { array: [], webhooks: { webhooks: [] } } },
  'webhook.list.id-name': {
    observe: (fixture) => namesOf(fixture, 'id', 'webhookId'),
    shows: { id: ['id'], webhookId: ['webhookId'] },
  },
  'webhook.list.url-name': {
    observe: (fixture) => namesOf(fixture, 'url', 'webhookUrl'),
    shows: { url: ['url'], webhookUrl: ['webhookUrl'] },
  },
  'webhook.list.description-name': {
    observe: (fixture) => namesOf(fixture, 'description', 'name'),
    shows: { description: ['description'], name: ['name'] },
  },
  'webhook.list.created-name': {
    observe: (fixture) => namesOf(fixture, 'createdAtUtc', 'createdAt'),
    shows: { createdAtUtc: ['createdAtUtc'], createdAt: ['createdAt'] },
  },
  'webhook.list.order': {
    observe: (fixture) => {
      for (const description of ['first', 'second', 'third']) register(fixture, { description });
      return listed(fixture).map(({ description }: { description: string }) => description);
    },
    shows: { 'oldest-first': ['first', 'second', 'third'], 'newest-first': ['third', 'second', 'first'] },
  },
  'webhook.token-in-answers': {
    observe: (fixture) => {
      const token = { requestHeaderVerificationToken: 'a secret' };
      return [register(fixture, token).body, listed(fixture)[0]].map((shown) => shown.requestHeaderVerificationToken);
    },
    shows: { never: [undefined, undefined], 'at-creation': ['a secret', undefined] },
  },
  'webhook.delete.body': {
    observe: (fixture) => fixture.ask('DELETE', `/api/Webhook/Delete/${register(fixture).body.id}`).body,
    shows: { true: true, empty: '' },
  },
  'webhook.delete.disabled': {
    account: { webhooks: [DISABLED] },
    observe: ({ ask }) => [1, 2].map(() => ask('DELETE', `/api/Webhook/Delete/${DISABLED.id}`).status),
    shows: { '404': [404, 404], deleted: [200, 404] },
  },
  'webhook.create.url-required': {
    observe: async (fixture) => {
      const answered = [register(fixture, { url: undefined }).status, register(fixture, { url: null }).status];
      fixture.create(NOTIFIED);
      await fixture.sandbox.settled();
      return [...answered, listed(fixture)[0]?.url, fixture.account.deliveries.all().length];
    },
    shows: { required: [400, 400, undefined, 0], optional: [200, 200, null, 0] },
  },
  'webhook.create.other-schemes': {
    observe: (fixture) => register(fixture, { url: 'http://shop.example.com/deliveries' }).status,
    shows: { refused: 400, accepted: 200 },
  },
  'webhook.create.description-required': {
    observe: (fixture) => [undefined, null, ' '].map((description) => register(fixture, { description }).status),
    shows: { optional: [200, 200, 200], required: [400, 400, 400] },
  },
  'webhook.create.url-checked': {
    observe: async (fixture) => {
      const [receiver, gone] = [await Receiver.start(), await Receiver.start()];
      await gone.close();
      register(fixture, { url: receiver.url });
      register(fixture, { url: gone.url });
      await fixture.sandbox.settled();
      const urls = listed(fixture).map(({ url }: { url: string }) => (url === receiver.url ? 'there' : 'gone'));
      return [receiver.received.map(({ bytes }) => bytes.toString()), urls];
    },
    shows: { never: [[], ['there', 'gone']], 'test-request': [['{}'], ['there']] },
  },
  'webhook.create.again-while-disabled': {
    account: { webhooks: [DISABLED] },
    observe: (fixture) => {
      register(fixture, { description: 'Again' });
      return [...fixture.account.state.webhooks()].map(({ id, description, enabled, failures }) => [
        id === DISABLED.id,
        description,
        enabled,
        failures,
      ]);
    },
    shows: {
      'new-record': [
        [true, 'Shop', false, 6],
        [false, 'Again', true, 0],
      ],
      'same-record': [[true, 'Again', true, 0]],
    },
  },
  'webhook.create.blank-token': {
    observe: (fixture) => ['', ' ', null].map((token) => register(fixture, { requestHeaderVerificationToken: token }).status),
    shows: { unsigned: [200, 200, 200], refused: [400, 400, 200] },
  },
} satisfies Partial<Probes>;
