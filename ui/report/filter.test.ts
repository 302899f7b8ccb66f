import { expect, test } from 'vitest';
import type { ItemInPage } from '../../conformance/report/page-data.ts';
import { failuresFirst, filtered, noFilter } from './filter.ts';

const item = (name: string, more: Partial<ItemInPage> = {}): ItemInPage => ({
  ...{ id: name, name, status: 'pass', outcome: 'passed', display: 'verbose', about: ['stated', 'Errors'], text: '', cause: '' },
  ...{ details: [], exchanges: [], ms: 0 },
  ...more,
});

const groups = [
  {
    heading: 'Errors',
    items: [item('a'), item('b', { status: 'fail', outcome: 'failure', details: [['Got', 'a 500 from the gateway']] })],
  },
  {
    heading: 'Limits',
    items: [item('c', { about: ['open'], status: 'observed' }), item('d', { status: 'blocked', outcome: 'error' })],
  },
];

const names = (of: readonly { heading: string; items: readonly ItemInPage[] }[]) =>
  of.map(({ heading, items }) => `${heading}: ${items.map(({ name }) => name).join(' ')}`);

test.each([
  [{}, ['Errors: a b', 'Limits: c d']],
  [{ status: 'pass' }, ['Errors: a']],
  [{ level: 'open' }, ['Limits: c']],
  [{ heading: 'Limits', status: 'blocked' }, ['Limits: d']],
  [{ search: 'GATEWAY 500' }, ['Errors: b']],
  [{ search: 'gateway', heading: 'Limits' }, []],
])('%j', (filter, expected) => {
  expect(names(filtered(groups, { ...noFilter, ...filter }))).toEqual(expected);
});

test('failures come first', () => {
  expect(names(failuresFirst(groups))).toEqual(['Failures: b', 'Errors: a', 'Limits: c d']);
});
