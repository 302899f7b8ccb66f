import { expect, test } from 'vitest';
import { deaths } from './every-request.ts';

test('a run of everything that is killed at any of its requests leaves nothing after sweep', async () => {
  const { moments, tried, everLeft, faults } = await deaths(1);
  expect(faults).toEqual([]);
  expect(tried).toBe(moments);
  expect(moments).toBeGreaterThan(800);
  expect(everLeft).toBeGreaterThan(10 * moments);
});
