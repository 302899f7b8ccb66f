import type { MockClient } from './client.ts';
import type { Value } from './values.ts';

const ACCOUNT = 'office';
const KEY = 'key-of-the-office';
const OFFICE = `/__mock/accounts/${ACCOUNT}`;

/** Values of one account, which change in parallel. */
export const officeValues = (receiver: string): readonly Value<unknown>[] =>
  [setting, coupon('COUPON-1'), coupon('COUPON-2'), webhook(receiver), keys, events] as readonly Value<unknown>[];

const setting: Value<string> = {
  name: 'name of the account',
  first: 'Office',
  begin: (mock) =>
    mock.read('POST', '/__mock/accounts', {
      id: ACCOUNT,
      name: 'Office',
      keys: [{ key: KEY, description: 'Own' }],
      automations: [{ name: 'Thanks', eventName: 'visited', amount: 10 }],
    }),
  read: async (mock) => (await mock.get('/api/Company/Profile', KEY)).name,
  step: (mock, _, chance) => {
    const name = `Office ${chance.between(1, 1000)}`;
    return [name, () => mock.sendRequest('PATCH', `${OFFICE}/settings`, { name })];
  },
};

/** The value is the discount; 0 without the coupon. */
function coupon(code: string): Value<number> {
  const find = (mock: MockClient) => mock.read('GET', `/api/WebStoreCoupon/GetByCode/${code}`, undefined, KEY);
  return {
    name: `discount of ${code}`,
    first: 0,
    read: async (mock) => (await find(mock)).body.discountValue ?? 0,
    step: async (mock, current, chance) => {
      const discountValue = chance.between(1, 99);
      const body = { code, discountType: 'Percentage', discountValue };
      if (current === 0) return [discountValue, () => mock.sendRequest('POST', '/api/WebStoreCoupon/Create', body, KEY)];
      const id = (await find(mock)).body.id;
      if (chance.is(30)) return [0, () => mock.sendRequest('DELETE', `/api/WebStoreCoupon/Delete/${id}`, undefined, KEY)];
      return [discountValue, () => mock.sendRequest('PUT', `/api/WebStoreCoupon/Update/${id}`, body, KEY)];
    },
  };
}

/** The value is the description; empty without the webhook. */
function webhook(receiver: string): Value<string> {
  const find = async (mock: MockClient) => (await mock.read('GET', '/api/Webhook/List', undefined, KEY)).body[0];
  return {
    name: 'webhook',
    first: '',
    read: async (mock) => (await find(mock))?.description ?? '',
    step: async (mock, current, chance) => {
      if (current !== '') {
        const id = (await find(mock))?.id;
        return ['', () => mock.sendRequest('DELETE', `/api/Webhook/Delete/${id}`, undefined, KEY)];
      }
      const description = `webhook ${chance.between(1, 1000)}`;
      return [
        description,
        () => mock.sendRequest('POST', '/api/Webhook/Create', { url: `${receiver}/${ACCOUNT}`, description }, KEY),
      ];
    },
  };
}

/** The value counts: an odd number n has added key n and not deleted it, an even number has deleted key n - 1. A deleted key is refused. */
const keys: Value<number> = {
  name: 'number of added and deleted keys',
  first: 0,
  read: async (mock) => {
    const { keys: all } = await mock.get(OFFICE);
    const added = 2 * (all.length - 1);
    const response = await mock.read('GET', '/api/Company/Profile', undefined, `key-${added - 1}`);
    return response.status === 200 ? added - 1 : added;
  },
  step: (mock, current) => {
    const path = `${OFFICE}/keys`;
    const isAdded = current % 2 === 1;
    if (isAdded) return [current + 1, () => mock.sendRequest('DELETE', `${path}/key-${current}`)];
    return [current + 1, () => mock.sendRequest('POST', path, { key: `key-${current + 1}`, description: 'Temporary' })];
  },
};

/** The value is the number of cards that events have issued. Every event is sent again, with the same key, before the next event. */
const events: Value<number> = {
  name: 'cards issued by events',
  first: 0,
  read: async (mock) => (await mock.get('/api/GiftCard/GetByEmail?emailAddress=visitor@example.com', KEY)).length,
  step: (mock, current) => {
    const send = (event: number) => {
      const body = { event_name: 'visited', recipient_email: 'visitor@example.com', idempotency_key: `visit-${event}` };
      return mock.sendRequest('POST', '/api/AutomationTriggerEvents', body, KEY);
    };
    return [current + 1, async () => (current === 0 || (await send(current))) && send(current + 1)];
  },
};
