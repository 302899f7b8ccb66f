import { afterAll, expect, test } from 'vitest';
import { comparisonOf, Mocks, withProperties } from '../../scripts/compare/in-process.ts';
import { outcome } from './summary.ts';

const mocks = new Mocks();
afterAll(() => mocks.end());

test('an id of figures has a symbol where it stands for itself, and none within a longer number', async () => {
  const numbers = { points: 912345678, cents: 12345678.5, share: 0.12345678 };
  const a = await mocks.serving(
    {},
    withProperties(() => ({ reference: '12345678', url: '/record%2F12345678', ...numbers })),
  );
  const b = await mocks.serving(
    {},
    withProperties(() => ({ reference: '87654321', url: '/record%2F87654321', ...numbers, loyalty: 7 })),
  );
  const comparison = await comparisonOf(a, b, 'gift-card.get-by-code.returns-the-card');
  const { unexplained } = comparison;
  expect(outcome(comparison)).toBe('No clause tells the two apart, and their answers differ all the same');
  const found = unexplained.find(({ place }) => place === '/loyalty');
  const { reference, ...others } = JSON.parse(found?.seen.step.a?.body ?? '{}');
  expect(reference).toMatch(/^«id#\d+»$/);
  expect(others).toMatchObject({ ...numbers, url: `/record%2F${reference}` });
});
