import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { sharedProfile, strictestPolicy } from '../compare/shared-plan.ts';
import type { ExitCode } from '../core/exit.ts';
import type { RunResult } from '../core/result.ts';
import { withReceiver } from '../core/target.ts';
import { scaledBudget } from '../safety/policy.ts';
import { type Connection, withConnection } from './connection.ts';
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

/** Runs one plan on A, on B, and on A again; each run has the smaller budget of the two. Resolves with the exit code if a target cannot be tested. */
export async function runBothTargets(
  targets: readonly [TestTarget, TestTarget],
  names: readonly ClauseName[],
  { seed, yes }: Settings,
): Promise<RunsToCompare | ExitCode> {
  const [a, b] = withSharedPlan(...targets);
  const plan = planOf(names, a);
  const twice = 'A is tested twice, to find what is unsteady; the plan and the limits are those of one run.\n';
  await confirmRemoteRun(a, yes, twice + planText(plan, a));
  await confirmRemoteRun(b, yes, planText(plan, b));
  return withConnection(withLetter('A', a), (one, signal) =>
    withConnection(withLetter('B', b), async (other, signalOfB): Promise<RunsToCompare> => {
      shareLimits([one, other]);
      const { gate } = one.session;
      const { chosen } = planOf(names, { ...a, policy: gate.policy }, gate.webhooksPresent);
      const resultA = await one.run(chosen, signal, { seed });
      const resultB = await other.run(chosen, signalOfB, { seed });
      // The gate continues to count.
      gate.policy = scaledBudget(gate.policy, 2);
      const secondOfA = signal.aborted ? undefined : await one.run(chosen, signal, { seed });
      return { a: resultA, b: resultB, ...(signal.aborted || !secondOfA ? { steadinessUnknown: 'interrupted' } : { secondOfA }) };
    }),
  );
}

/** Restricts both to the entries and effects that both allow, and to the smaller budget. */
function withSharedPlan(a: TestTarget, b: TestTarget): [TestTarget, TestTarget] {
  const [profileA, profileB] = [withReceiver(a.target), withReceiver(b.target)];
  const policy = strictestPolicy(a.policy, b.policy);
  return [
    { ...a, policy, target: { ...a.target, profile: sharedProfile(profileA, profileB) } },
    { ...b, policy, target: { ...b.target, profile: sharedProfile(profileB, profileA) } },
  ];
}

/** Messages about a target begin with its letter. */
function withLetter(letter: string, test: TestTarget): TestTarget {
  const { io } = test;
  return {
    ...test,
    io: {
      stdout: io.stdout,
      stderr: { write: (text) => io.stderr.write(text.replace(/^(?=.)/gm, `${letter}: `)) },
      once: (signal, listener) => io.once?.(signal, listener),
      off: (signal, listener) => io.off?.(signal, listener),
    },
  };
}

/** Limits of one target apply to the other, too. */
function shareLimits(connections: readonly Connection[]): void {
  const gates = connections.map(({ session }) => session.gate);
  const present = gates.map(({ webhooksPresent }) => webhooksPresent).find((number) => number !== 0) ?? 0;
  const createsNothing = gates.some(({ policy }) => policy.maxCreates === 0);
  for (const gate of gates) {
    gate.webhooksPresent = present;
    if (createsNothing) gate.createNothing();
  }
}
