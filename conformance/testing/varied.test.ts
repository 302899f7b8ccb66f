import { expect, test } from 'vitest';
import { varied } from '../../mock/variant/vary.ts';
import { differing, isTelling, judge } from '../../scripts/variants/judge.ts';

/** A few of the deployments that "npm run test:variants" judges a hundred of, chosen for answers that were once taken for faults. */
test.each([9, 16, 19, 23])(
  'no fault is found where the open questions are answered otherwise: seed %i',
  async (seed) => {
    const judged = await judge(differing(varied(seed).behaviors), undefined, varied(seed).overrides);
    const { reds, left, silent } = judged;
    expect(reds.map(({ name, detail, expected, got }) => ({ name, detail, expected, got }))).toEqual([]);
    expect(left).toEqual([]);
    expect(isTelling(judged), silent.map(({ name }) => name).join(', ')).toBe(true);
  },
  60_000,
);

test('nor by odd input', async () => {
  const { reds, left } = await judge(differing(varied(5).behaviors), ({ inputs }) => inputs === true);
  expect(reds.map(({ name, detail, expected, got }) => ({ name, detail, expected, got }))).toEqual([]);
  expect(left).toEqual([]);
}, 60_000);
