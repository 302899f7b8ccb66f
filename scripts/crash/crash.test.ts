import { expect, test } from 'vitest';
import { crashRun } from './crash-run.ts';

test('a run that is killed before or after any of its requests leaves nothing after sweep', async () => {
  const { points, kills, records, faults } = await crashRun(1);
  expect(faults).toEqual([]);
  expect(kills).toBe(points);
  expect(points).toBeGreaterThan(800);
  expect(records).toBeGreaterThan(10 * points);
});
