import { describe, expect, test } from 'vitest';
import { create, found, type Row } from '../testing/exchanges-fixture.ts';

const url = (name: string) => `https://veiled.invalid/${name}`;
const hook = (name: string, told?: unknown): Row => ({ does: 'createWebhook', asked: { url: url(name) }, told });
const echoed = (name: string) => hook(name, { id: `id-${name}`, url: url(name) });
const record = (name: string, id = `id-${name}`) => ({ id, target: url(name) });
const list = (...records: unknown[]): Row => ({ does: 'listWebhooks', told: { hooks: records } });
const remove = (name: string, more: Partial<Row> = {}): Row => ({ does: 'deleteWebhook', query: { id: `id-${name}` }, ...more });
const brief = (rows: readonly (Row | readonly Row[])[], onlyClient = false) =>
  found(rows, onlyClient).map(([kind, clause]) => [kind, clause]);

test('a webhook that was deleted is listed by nobody', () => {
  expect(brief([hook('a'), list(record('a')), remove('a'), list(record('a'))])).toEqual([['violated', 'webhook.delete.removes']]);
});

describe('what somebody else may have caused is only so where nobody else acts', () => {
  test.each<[string, readonly Row[], string]>([
    ['an empty list', [hook('a'), list()], 'webhook.create.registers'],
    ['a list without it', [echoed('a'), list(record('b'))], 'webhook.create.registers'],
    ['one of two with the same URL', [hook('a'), hook('a'), list(record('a'), record('b'))], 'webhook.create.same-url-again'],
    [
      'one that is listed and cannot be deleted',
      [hook('a'), list(record('a')), remove('a', { status: 404 })],
      'webhook.delete.removes',
    ],
  ])('%s', (_, rows, clause) => {
    expect(brief(rows)).toEqual([['cannot-tell', clause]]);
    expect(brief(rows, true)).toEqual([['violated', clause]]);
  });
});

describe('nothing is said of webhooks', () => {
  const deliveries = ['x', 'y', 'z'].map((code) => create(code, 1));
  test.each<[string, readonly (Row | readonly Row[])[]]>([
    ['that are listed', [hook('a'), hook('a'), list(record('a'), record('a', 'other'))]],
    ['whose URL is listed as it is not written', [hook('a'), list({ id: 'id-a', target: url('of-a') })]],
    ['that may have failed', [echoed('a'), ...deliveries, list()]],
    ['that may have failed since they were listed', [list(record('a')), ...deliveries, remove('a', { status: 404 })]],
    ['that are deleted and gone', [hook('a'), list(record('a')), remove('a'), list(), remove('a', { status: 404 })]],
    ['of which one was deleted by an id that nobody knows', [hook('a'), hook('b'), remove('c'), list(record('b'))]],
    ['that may be deleted', [hook('a'), remove('a', { lost: true }), list(record('a'))]],
    ['that are created while they are listed', [[hook('a'), list()]]],
    ['of which nobody knows where they stand', [hook('a'), { does: 'listWebhooks', told: { 'id-b': { target: url('b') } } }]],
    ['of another account', [hook('a'), { ...list(), key: 'key-2' }]],
  ])('%s', (_, rows) => {
    expect(brief(rows, true)).toEqual([]);
  });
});
