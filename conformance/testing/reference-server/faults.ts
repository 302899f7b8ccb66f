import { type Check, checks } from '../../core/clause.ts';
import '../../clauses/index.ts';
import '../../probes/index.ts';
import { levelOf } from '../../core/contract.ts';
import { exitCode } from '../../core/exit.ts';
import { runClauses } from '../../core/run.ts';
import type { Target } from '../../core/target.ts';

/**
 * What the suite has against a target that keeps the specification: verdicts of checks that are neither pass nor an observation, what is left behind,
 * and an exit code that is not 0. Questions whose name matches `unaskable` may go without an answer. `passed` counts the stated clauses that hold, `applying` those that can.
 */
export async function faultsOf(
  target: Target,
  wanted: (check: Check) => boolean,
  unaskable: RegExp,
): Promise<{ faults: unknown[]; passed: number; applying: number }> {
  const names = checks().flatMap((check) => (wanted(check) ? [check.name] : []));
  const result = await runClauses({ target, names, checks: checks(), suite: 'test' });
  const notPassed = result.clauses.filter(
    ({ name, verdict }) => verdict !== 'pass' && verdict !== 'observed' && !(verdict === 'untested' && unaskable.test(name)),
  );
  const code = exitCode(result);
  return {
    faults: [
      ...notPassed.map(({ name, verdict, reason, detail, expected, got }) => ({ name, verdict, reason, detail, expected, got })),
      ...result.cards.left,
      ...result.recordsLeft.map(({ what, value }) => `${what} ${value}`),
      ...(code === 0 ? [] : [`exit code ${code}`]),
    ],
    passed: result.clauses.filter(({ level, verdict }) => level === 'stated' && verdict === 'pass').length,
    applying: names.filter((name) => levelOf(name) === 'stated' && !unaskable.test(name)).length,
  };
}
