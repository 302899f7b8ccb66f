import type { MockClient, MockResponse } from './client.ts';
import type { Value } from './values.ts';

/** The largest number of cards of an account that `accountValue` resets. */
const MANY = 30;

/**
 * An account that the control API adds, removes, resets, and replaces by a snapshot. The value is the list of its cards; null without the account. Its
 * RequestIds repeat after a reset, so its deliveries are not checked.
 */
export function accountValue(id: string, receiver: string): Value<readonly string[] | null> {
  const path = `/__mock/accounts/${id}`;
  const first = ['CARD-000000'];
  const added = { ...descriptionOf(id), webhooks: [{ url: `${receiver}/${id}/slow` }] };
  let saved: { readonly snapshot: unknown; readonly cards: readonly string[] } | undefined;
  let made = 0;
  return {
    name: `cards of ${id}`,
    first: null,
    read: (mock) => cardsOf(mock, id),
    step: async (mock, cards, chance) => {
      if (cards === null) return [first, () => mock.sendRequest('POST', '/__mock/accounts', added)];
      if (cards.length > MANY || chance.is(5)) return [first, () => mock.sendRequest('POST', `${path}/reset`)];
      if (chance.is(5)) return [null, () => mock.sendRequest('DELETE', path)];
      if (chance.is(15)) {
        const response = await mock.sendRequest('GET', `${path}/snapshot`);
        saved = response && { snapshot: response.body, cards };
      }
      const restored = saved;
      if (restored && chance.is(20))
        return [restored.cards, () => mock.sendRequest('PUT', `${path}/snapshot`, restored.snapshot)];
      const code = `CARD-${String(++made).padStart(6, '0')}`;
      return [[...cards, code], () => create(mock, id, code)];
    },
  };
}

/** The cards of each account that was added to the sandbox. */
type AddedAccounts = Readonly<Record<string, readonly string[]>>;

/** A whole sandbox: accounts are added, everything is reset, or replaced by a snapshot. */
export function sandboxValue(): Value<AddedAccounts> {
  let saved: { readonly snapshot: unknown; readonly accounts: AddedAccounts } = { snapshot: undefined, accounts: {} };
  let made = 0;
  return {
    name: 'accounts of the sandbox',
    first: {},
    read: async (mock) => {
      const accounts = await mock.get('/__mock/accounts');
      const ids: string[] = accounts.map(({ id }: { id: string }) => id).filter((id: string) => id.startsWith('added-'));
      return Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await cardsOf(mock, id)])));
    },
    step: async (mock, accounts, chance) => {
      const id = chance.pick(Object.keys(accounts));
      if (!id || chance.is(20)) {
        const added = `added-${++made}`;
        return [
          { ...accounts, [added]: ['CARD-000000'] },
          () => mock.sendRequest('POST', '/__mock/accounts', descriptionOf(added)),
        ];
      }
      if (chance.is(5)) return [{}, () => mock.sendRequest('POST', '/__mock/reset')];
      if (chance.is(10)) {
        const response = await mock.sendRequest('GET', '/__mock/snapshot');
        if (response) saved = { snapshot: response.body, accounts };
      }
      const { snapshot } = saved;
      if (snapshot && chance.is(10)) return [saved.accounts, () => mock.sendRequest('PUT', '/__mock/snapshot', snapshot)];
      const code = `CARD-${String(++made).padStart(6, '0')}`;
      return [{ ...accounts, [id]: [...(accounts[id] ?? []), code] }, () => create(mock, id, code)];
    },
  };
}

function descriptionOf(id: string) {
  return { id, keys: [{ key: keyOf(id), description: 'Own' }], cards: [{ code: 'CARD-000000', balance: 5 }] };
}

function keyOf(id: string): string {
  return `key-of-${id}`;
}

function create(mock: MockClient, id: string, code: string): Promise<MockResponse | undefined> {
  const recipient = { recipientEmailAddress: 'rita@example.com', recipientName: 'Rita', shouldSendNotification: true };
  return mock.sendRequest('POST', '/api/GiftCard/Create', { balance: 20, code, ...recipient }, keyOf(id));
}

/** Returns the codes of the cards of an account; null without the account. */
async function cardsOf(mock: MockClient, id: string): Promise<readonly string[] | null> {
  const codes: string[] = [];
  for (let page = 0; codes.length === 50 * page; page++) {
    const { status, body } = await mock.read('GET', `/api/GiftCard/List?pageSize=50&pageNumber=${page}`, undefined, keyOf(id));
    if (status !== 200) return null;
    codes.push(...body.giftCards.map(({ code }: { code: string }) => code));
  }
  return codes.sort();
}
