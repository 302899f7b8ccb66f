import { expect, test } from 'vitest';
import { checks } from '../../core/clause.ts';
import { runClauses } from '../../core/run.ts';
import { type Fault, faults } from './options.ts';
import { referenceTarget } from './suite-findings.ts';

test.each(Object.entries(faults))('a server that %s fails %s', async (fault, clause) => {
  const verdictOf = async (options: { fault?: Fault }) => {
    const target = referenceTarget(options, { timesShownExactly: true });
    const { clauses } = await runClauses({
      target,
      names: ['authentication.missing-key-is-401', clause],
      checks: checks(),
      suite: 'test',
    });
    return clauses.at(-1)?.verdict;
  };
  expect(await verdictOf({})).toBe('pass');
  expect(await verdictOf({ fault: fault as Fault })).toBe('fail');
});
