import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../index.ts';

type Point = readonly [method: string, target: string, body?: string | undefined, headers?: Record<string, string>];

/** Where a foreign name reaches a lookup. Objects inherit some names, which must give what an unknown name gives. */
const points = (name: string, card: string): readonly Point[] => [
  ['GET', `/${name}`],
  ['GET', `/api/${name}`],
  ['GET', `/__mock/${name}`],
  ['GET', `/__mock/ui/${name}`],
  ['GET', `/card/${name}`],
  ['GET', `/card/${card}/${name}`],
  ['GET', `/api/GiftCard/GetByCode/${name}`],
  ['GET', `/api/GiftCard/GetById/${name}`],
  ['GET', `/api/GiftCard/GetByEmail?${name}=1`],
  ['GET', `/api/GiftCard/GetByEmail?email=a%40example.com&${name}=1`],
  ['POST', '/api/GiftCard/Create', `{"${name}": {"balance": 5}}`],
  ['POST', '/api/Webhook/Create', `{"url": "${name}", "${name}": 1}`],
  ['GET', '/api/Webhook/List', undefined, { [name]: 'x' }],
  ['GET', `/__mock/accounts/${name}`],
  ['GET', `/__mock/accounts/main/${name}`],
  ['GET', `/__mock/accounts/main/cards/${name}`],
  ['GET', `/__mock/accounts/main/cards?${name}=1`],
  ['GET', `/__mock/accounts/main/journal?operation=${name}`],
  ['GET', `/__mock/accounts/main/outbox?kind=${name}`],
  ['POST', '/__mock/accounts', `{"${name}": 1}`],
  ['POST', '/__mock/accounts', `{"plan": "${name}"}`],
  ['POST', '/__mock/accounts', `{"currency": "${name}"}`],
  ['POST', '/__mock/accounts', `{"cards": [{"${name}": {"${name}": 1}}]}`],
  ['POST', '/__mock/accounts', `{"cards": [{"inChannels": {"${name}": {"sourceId": "1"}}}]}`],
  ['PUT', '/__mock/behaviors', `{"${name}": 1}`],
  ['PUT', '/__mock/behaviors', `{"behaviors": {"${name}": "x"}}`],
  ['PUT', '/__mock/behaviors', `{"overrides": [{"${name}": "x"}]}`],
  ['PUT', '/__mock/behaviors', `{"overrides": [{"rename": "${name}.notes", "to": "x"}]}`],
  ['PUT', '/__mock/behaviors', `{"overrides": [{"rename": "GiftCard.${name}", "to": "x"}]}`],
  ['PUT', '/__mock/behaviors', `{"overrides": [{"wrap": "${name}", "in": "x"}]}`],
  ['POST', '/__mock/accounts/main/faults', `{"fault": "${name}"}`],
  ['POST', '/__mock/accounts/main/faults', `{"fault": "delay", "${name}": 1}`],
  ['PUT', `/__mock/accounts/main/channels/${name}`, '{}'],
  ['PUT', '/__mock/accounts/main/snapshot', `{"${name}": {}}`],
];

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  '%s gives what an unknown name gives',
  async (inherited) => {
    const mock = await startMock({ listen: false, seed: 1, rateLimit: 'off' });
    onTestFinished(mock.close);
    const fetched = async (path: string) =>
      (await (await mock.fetch(path)).json()) as { cards: { id: string }[]; defects: string[] };
    const [card] = (await fetched('/__mock/accounts/main/cards')).cards;
    const given = async (name: string) => {
      const responses = points(name, card?.id ?? '').map(async ([method, target, body = null, headers]) => {
        const init = { method, body, headers: { 'x-api-key': mock.apiKey, ...headers } };
        const response = await mock.fetch(target, init);
        return [method, target, response.status, await response.text()].join(' ').replaceAll(name, 'NAME');
      });
      return (await Promise.all(responses)).map((text) => text.replaceAll(name.toLowerCase(), 'NAME'));
    };
    expect(await given(inherited)).toEqual(await given('unknown'));
    const wrong = { overrides: [{ schema: 'GiftCard.notes', to: JSON.parse(`{"${inherited}": {}}`) }] };
    const refused = await mock.fetch('/__mock/behaviors', { method: 'PUT', body: JSON.stringify(wrong) });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(inherited)]);
    expect((await fetched('/__mock/health')).defects).toEqual([]);
  },
);
