import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { sharedProfile, strictestPolicy } from '../compare/shared-plan.ts';
import type { ExitCode } from '../core/exit.ts';
import type { RunResult } from '../core/result.ts';
import { withReceiver } from '../core/target.ts';
import { scaledBudget } from '../safety/policy.ts';
import { allSettled, Connection, withConnections } from './connection.ts';
import type { Io } from './context.ts';
import { confirmRemoteRun } from './interaction.ts';
import { planOf, planText } from './plan.ts';
import type { TestTarget } from './target.ts';

export interface RunsToCompare {
  readonly a: RunResult;
  readonly b: RunResult;
  readonly secondOfA?: RunResult;
  /** Why there is no second run on A. */
  readonly steadinessUnknown?: string;
}

interface Settings {
  readonly seed: number | undefined;
  readonly yes: boolean | undefined;
}

/**
 * Runs one plan on two targets, and on A a second time. Different servers are tested at the same time.
 * Returns the exit code instead if a target cannot be tested.
 */
export async function runBothTargets(
  io: Io,
  targets: readonly [TestTarget, TestTarget],
  names: readonly ClauseName[],
  { seed, yes }: Settings,
): Promise<RunsToCompare | ExitCode> {
  const [a, b] = withSharedPlan(...targets);
  for (const test of [a, b]) {
    const twice = test.runs === 2 ? 'Twice, to find what is unsteady on A:\n' : '';
    await confirmRemoteRun({ ...test, io }, yes, twice + planText(planOf(names, test), test));
  }
  const lettered = [withLetter('A', a), withLetter('B', b)];
  return withConnections(io, lettered, async ([one, other], signal) => {
    if (!one || !other) throw new Error('There are two connections.');
    shareLimits([one, other]);
    const { chosen } = one.plan(names);
    const run = (connection: Connection) => connection.run(chosen, signal, { seed });
    // Two targets on one server would disturb each other.
    const isOneServer = new URL(a.target.url).origin === new URL(b.target.url).origin;
    const [resultA, resultB] = isOneServer ? [await run(one), await run(other)] : await allSettled([run(one), run(other)]);
    if (!resultA || !resultB) throw new Error('There are two results.');
    if (a.runs !== 2) return { a: resultA, b: resultB, steadinessUnknown: 'the budget of A is too small for a second run' };
    const secondOfA = signal.aborted ? undefined : await runAgain(one, run);
    return { a: resultA, b: resultB, ...(signal.aborted || !secondOfA ? { steadinessUnknown: 'interrupted' } : { secondOfA }) };
  });
}

/** Restricts both to the entries and effects that both allow, and to the smaller budget. A runs twice if its budget allows that. */
function withSharedPlan(a: TestTarget, b: TestTarget): [TestTarget, TestTarget] {
  const [profileA, profileB] = [withReceiver(a.target), withReceiver(b.target)];
  const half = scaledBudget(a.policy, 0.5);
  const isTwice = half.maxRequests > 0 && (half.maxCreates > 0 || a.policy.maxCreates === 0);
  const policy = strictestPolicy(isTwice ? half : a.policy, b.policy);
  return [
    {
      ...a,
      target: { ...a.target, profile: sharedProfile(profileA, profileB) },
      ...(isTwice ? { policy: scaledBudget(policy, 2), runs: 2 } : { policy }),
    },
    { ...b, target: { ...b.target, profile: sharedProfile(profileB, profileA) }, policy },
  ];
}

/** Messages about a target begin with its letter. */
const withLetter = (letter: string, test: TestTarget): TestTarget => ({
  ...test,
  io: {
    stdout: test.io.stdout,
    stderr: { write: (text) => test.io.stderr.write(text.replace(/^(?=.)/gm, `${letter}: `)) },
  },
});

/** Limits of one target apply to the other, too. */
function shareLimits(connections: readonly Connection[]): void {
  const gates = connections.map(({ session }) => session.gate);
  const present = gates.map(({ webhooksPresent }) => webhooksPresent);
  const createsNothing = gates.some(({ policy }) => policy.maxCreates === 0);
  for (const gate of gates) {
    gate.webhooksPresent = present.includes('unknown') ? 'unknown' : Math.max(...present.map(Number));
    if (createsNothing) gate.createNothing();
  }
}

/** With the same budget and rate, and new names for what it creates. */
async function runAgain(earlier: Connection, run: (connection: Connection) => Promise<RunResult>): Promise<RunResult> {
  const connection = new Connection(earlier.test, earlier);
  return run(connection).finally(() => connection.close());
}
