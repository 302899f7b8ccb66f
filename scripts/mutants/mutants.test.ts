import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import { mutants } from './list.ts';
import { defaultWorldProfile } from './profile.ts';

test.each(mutants)('$clause is violated by: $replace', async (mutant) => {
  const { verdict, detail, got } = await judge(mutant, defaultWorldProfile);
  expect({ verdict, detail, got }).toMatchObject({ verdict: 'fail' });
});
