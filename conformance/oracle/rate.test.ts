import { describe, expect, test } from 'vitest';
import { create, found, get, judged, type Row } from '../testing/exchanges-fixture.ts';

const many = Array.from({ length: 250 }, () => get('a', 5));
const warm = [create('a', 5), { ...get('a', 5), after: 70_000 }];
const limited: Row = { ...get('a', 5), status: 429, told: undefined };

test('429 after two requests, which others may have caused', () => {
  expect(found([...warm, limited])).toEqual([['cannot-tell', 'limits.rate-admits', [3]]]);
  expect(found([...warm, limited], true)).toEqual([['violated', 'limits.rate-admits', [3]]]);
});

describe('nothing is said of 429', () => {
  test.each<[string, readonly (Row | readonly Row[])[]]>([
    ['to one of many at once', [...warm, [limited, ...many]]],
    ['after many', [...warm, ...many, limited]],
    ['after many that got no answer', [...warm, ...many.map((row) => ({ ...row, lost: true }) as const), limited]],
    ['where the client was there before', [create('a', 5), limited]],
  ])('%s', (_, rows) => {
    expect(found(rows, true)).toEqual([]);
  });
});

test.each<[string, readonly (Row | readonly Row[])[], number | undefined]>([
  ['a few', [create('a', 5), ...many.slice(0, 15)], undefined],
  ['as many as are let through, but for one', [create('a', 5), ...many.slice(0, 198)], undefined],
  ['as many as are let through', [create('a', 5), ...many.slice(0, 199)], 1],
  ['as many over more than a minute', [create('a', 5), ...many.slice(0, 199).map((row) => ({ ...row, after: 300 }))], undefined],
  ['as many of which one got no answer', [create('a', 5), { ...get('a', 5), lost: true }, ...many.slice(0, 198)], undefined],
  ['as many by two keys', [create('a', 5), { ...get('a', 5), key: 'key-2' }, ...many.slice(0, 198)], undefined],
])('the rate is shown by no fewer than it lets through: %s', (_, rows, times) => {
  expect(judged(rows).held.get('limits.rate-admits')).toBe(times);
});
