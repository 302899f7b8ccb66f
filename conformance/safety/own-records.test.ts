import { expect, test } from 'vitest';
import type { TargetResponse } from '../http/exchange.ts';
import type { Client } from './client.ts';
import type { TargetRequest } from './effects.ts';
import { isPending, type RecordEntry } from './entries.ts';
import { goneById, ownRecords, showsUrls } from './record-cleanup.ts';
import { sweep } from './sweep.ts';

const known = { url: 'https://receiver.example/mine', mark: 'made by GCS-W1', id: 5 };

test.each([
  ['its URL', { hook: 1, target: known.url }],
  ['its description', { hook: 1, label: known.mark }],
  ['its ID', { id: 5 }],
])('a record is identified by %s', (_, record) => {
  const others = [{ id: 6, failures: 5, target: 'https://production.example/hook' }];
  expect(ownRecords({ hooks: [...others, record] }, known)).toEqual([record]);
  expect(ownRecords({ hooks: others }, known)).toEqual([]);
});

test.each([
  [true, []],
  [true, [{ url: 'https://production.example/hook' }]],
  [false, [{ id: 6 }]],
  [false, [{ url: 'https://production.example/…' }]],
  [false, [{ origin: 'https://production.example' }]],
])('%s: a list without the webhook proves that it is absent: %j', (says, list) => {
  expect(showsUrls(list)).toBe(says);
});

test.each([
  [true, [200, 404]],
  [false, [200, 200]],
  [false, [404]],
])('%s: deletions with the statuses %j prove that the record is gone', async (gone, statuses) => {
  const left = [...statuses];
  expect(await goneById(async () => ({ status: left.shift() ?? 0 }))).toBe(gone);
});

/** Runs a sweep on a target whose list never changes. Returns the state of the entry. */
async function swept(entry: Partial<RecordEntry>, list: unknown): Promise<string> {
  const webhook = { what: 'webhook', list: '/api/Webhook/List', remove: '/api/Webhook/Delete/{id}' } as const;
  const common = { kind: 'record', number: 1, account: 'key', key: undefined, state: 'created' } as const;
  const whole: RecordEntry = { ...common, ...webhook, url: known.url, ...entry };
  const client = {
    send: async () => ({ status: 200, json: list }) as TargetResponse,
    lateAfter: 0,
    cleaned: [],
  } as unknown as Client;
  await sweep(client, [whole], () => undefined);
  return isPending(whole) ? 'left' : whole.state;
}

test('a record that no list has shown is not proven gone by a list without it', async () => {
  const hidden = [{ name: 'a webhook' }];
  expect(await swept({}, hidden)).toBe('left');
  expect(await swept({ shown: true }, hidden)).toBe('gone');
});

test('a webhook whose creation had no response may be in a list that shows no URLs', async () => {
  const lostRequest = { state: 'requested' } as const;
  expect(await swept(lostRequest, [{ name: 'a webhook' }])).toBe('left');
  expect(await swept(lostRequest, [{ url: 'https://production.example/hook' }])).toBe('refused');
});

test('with two webhooks at one URL, the deletion for one entry may remove the webhook of the other', async () => {
  const webhook = { what: 'webhook', list: '/api/Webhook/List', remove: '/api/Webhook/Delete/{id}', url: known.url } as const;
  const common = { kind: 'record', account: 'key', key: undefined, ...webhook } as const;
  const made: RecordEntry = { ...common, number: 1, state: 'created', id: 5 };
  const lostRequest: RecordEntry = { ...common, number: 2, state: 'requested' };
  let listed = [{ id: 5, url: known.url }];
  const send = async ({ method }: TargetRequest) => {
    if (method === 'GET') return { status: 200, json: listed };
    const status = listed.length > 0 ? 200 : 404;
    listed = [];
    return { status, json: null };
  };
  await sweep({ send, lateAfter: 0, cleaned: [] } as unknown as Client, [made, lostRequest], () => undefined);
  expect([made.state, lostRequest.state]).toEqual(['gone', 'gone']);
});
