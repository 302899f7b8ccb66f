import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { sharedPlan, sharedProfile } from '../compare/shared-plan.ts';
import type { RunResult } from '../core/result.ts';
import { openSession, type Session } from '../core/session.ts';
import { type Profile, type Target, withReceiver } from '../core/target.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import type { Policy } from '../safety/policy.ts';
import type { CliContext, Io } from './context.ts';
import { confirmRemoteRun, interruptible } from './interaction.ts';
import { reportLeftovers } from './leftovers.ts';
import { planText } from './plan.ts';
import { noProgress, progress, waitingOn } from './progress.ts';
import { prepareTarget, runInSession } from './run-clauses.ts';

export interface TargetSide {
  readonly letter: 'A' | 'B';
  readonly target: Target;
  /** The budget is for all runs on the target. */
  readonly policy: Policy;
  readonly ledger: LedgerFolder;
}

export interface RunsToCompare {
  readonly a: RunResult;
  readonly b: RunResult;
  readonly secondOfA?: RunResult;
  /** Why there is no second run on A. */
  readonly steadinessUnknown?: string;
}

interface Settings {
  readonly names: readonly ClauseName[];
  readonly seed: number | undefined;
  readonly quiet: boolean;
  readonly yes: boolean | undefined;
}

/**
 * Runs one plan on two targets, and on A a second time. Different servers are tested at the same time.
 * Returns the exit code instead if a target cannot be tested.
 */
export async function runBothTargets(
  { io }: CliContext,
  sides: readonly [TargetSide, TargetSide],
  settings: Settings,
): Promise<RunsToCompare | number> {
  const [a, b] = sides;
  const profiles = [withReceiver(a.target), withReceiver(b.target)] as const;
  const profileOf = (side: TargetSide): Profile =>
    side === a ? sharedProfile(profiles[0], profiles[1]) : sharedProfile(profiles[1], profiles[0]);
  for (const { ledger } of sides) ledger.ready();
  const noWebhooks = ({ policy }: TargetSide) => ({ policy, webhooksPresent: 0 });
  const preview = sharedPlan(settings.names, profileOf(a), noWebhooks(a), noWebhooks(b));
  for (const { target, policy } of sides) {
    const text = planText(preview.plan, preview.policy, target.ratePerMinute);
    const twice = target === a.target && preview.isTwice ? 'Twice, to find what is unsteady on A:\n' : '';
    await confirmRemoteRun({ io, yes: settings.yes }, target.url, policy, twice + text);
  }
  const runs = sides.map((side) => new SideRun(side, profileOf(side), io)) as [SideRun, SideRun];
  const { signal, done } = interruptible(io);
  try {
    const ready = await allSettled(runs[0].prepare(), runs[1].prepare());
    if (ready.includes(false)) return runs.some(({ leftBefore }) => leftBefore.length > 0) ? 5 : 3;
    const [gateA, gateB] = [runs[0].session.gate, runs[1].session.gate];
    const { plan, isTwice } = sharedPlan(settings.names, profileOf(a), gateA, gateB);
    const run = (index: 0 | 1) => runs[index].run(plan.chosen, settings, signal);
    // Two targets on one server would disturb each other.
    const isOneServer = new URL(a.target.url).origin === new URL(b.target.url).origin;
    const [resultA, resultB] = isOneServer ? [await run(0), await run(1)] : await allSettled(run(0), run(1));
    if (!isTwice) return { a: resultA, b: resultB, steadinessUnknown: 'the budget of A is too small for a second run' };
    if (signal.aborted) return { a: resultA, b: resultB, steadinessUnknown: 'interrupted' };
    const secondOfA = await runs[0].runAgain(plan.chosen, settings, signal);
    return { a: resultA, b: resultB, ...(signal.aborted ? { steadinessUnknown: 'interrupted' } : { secondOfA }) };
  } finally {
    done();
    await Promise.all(runs.map((run) => run.close()));
  }
}

/** Waits for both even if one fails, so that both have cleaned up. */
async function allSettled<T>(one: Promise<T>, other: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}

/** The runs on one target. Messages begin with its letter. */
class SideRun {
  readonly session: Session;
  leftBefore: readonly string[] = [];
  readonly #side: TargetSide;
  readonly #io: Io;

  constructor(side: TargetSide, profile: Profile, io: Io) {
    this.#side = { ...side, target: { ...side.target, profile } };
    this.#io = {
      stdout: io.stdout,
      stderr: { write: (text) => io.stderr.write(text.replace(/^(?=.)/gm, `${side.letter}: `)) },
      ...(io.fetch ? { fetch: io.fetch } : {}),
    };
    this.session = openSession(this.#side.target, waitingOn(progress([], this.#io.stderr)), side.policy);
  }

  /** Returns whether the target can be tested. */
  async prepare(): Promise<boolean> {
    const { leftBefore, trouble } = await prepareTarget(this.#leftoverContext(), this.#side.ledger, this.session);
    this.leftBefore = leftBefore;
    if (trouble !== undefined) this.#io.stderr.write(`${trouble}\n`);
    return trouble === undefined;
  }

  run(names: readonly ClauseName[], settings: Settings, signal: AbortSignal): Promise<RunResult> {
    return this.#run(this.session, this.leftBefore, names, settings, signal);
  }

  /** With the same budget and rate, and new names for what it creates. */
  async runAgain(names: readonly ClauseName[], settings: Settings, signal: AbortSignal): Promise<RunResult> {
    const session = openSession(this.#side.target, waitingOn(progress([], this.#io.stderr)), undefined, this.session);
    try {
      return await this.#run(session, [], names, settings, signal);
    } finally {
      await session.client.close();
    }
  }

  async #run(
    session: Session,
    leftBefore: readonly string[],
    names: readonly ClauseName[],
    { seed, quiet }: Settings,
    signal: AbortSignal,
  ): Promise<RunResult> {
    const { ledger, target } = this.#side;
    const shown = quiet ? noProgress : progress(names, this.#io.stderr);
    const options = { names, runnable: names, ledger, signal, leftBefore, onResult: shown.finished };
    const result = await runInSession(this.#io, session, { ...options, ...(seed === undefined ? {} : { seed }) }).finally(
      shown.end,
    );
    await reportLeftovers(this.#leftoverContext(), ledger, target, result);
    return result;
  }

  async close(): Promise<void> {
    await this.session.client.close();
    this.#side.ledger.close();
  }

  #leftoverContext() {
    return { io: this.#io, folder: undefined };
  }
}
