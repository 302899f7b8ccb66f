import type { ClauseName } from '../../openapi/generated/clauses.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { asKnown, type Baseline } from '../core/baseline.ts';
import { checks } from '../core/clause.ts';
import { describeTrouble, preflight, webhooksPresent } from '../core/preflight.ts';
import type { RunResult } from '../core/result.ts';
import { type RunOptions, runClauses } from '../core/run.ts';
import { openSession, type Session } from '../core/session.ts';
import { isLocal, type Target, withReceiver } from '../core/target.ts';
import { formatCount } from '../core/text.ts';
import type { Run } from '../core/trial.ts';
import { testableClauses } from '../core/untestable.ts';
import { pending } from '../safety/entries.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import { describeDamage, describeLeftovers, leftoversIn } from '../safety/leftovers.ts';
import { planRun } from '../safety/planner.ts';
import { describeWebhooks, type Policy } from '../safety/policy.ts';
import { canaryCost, isCanaryVoided } from '../scenarios/canary.ts';
import type { CliContext } from './context.ts';
import { confirmRemoteRun, interruptible } from './interaction.ts';
import { reportLeftovers, sweepAndReport } from './leftovers.ts';
import { planText } from './plan.ts';
import { noProgress, progress, waitingOn } from './progress.ts';

/** Name and version of the suite, for results. */
export const suite = `giftcard-sandbox ${packageFile.version}`;

export interface TargetRun {
  /** In the order in which they are run. */
  readonly names: readonly ClauseName[];
  readonly target: Target;
  readonly policy: Policy;
  readonly ledger: LedgerFolder;
  /** Flags of the command. */
  readonly values: {
    readonly ledger?: string | undefined;
    readonly yes?: boolean | undefined;
    readonly quiet?: boolean | undefined;
  };
  readonly seed?: number | undefined;
  /** The command that runs one clause again when the clause's name is appended. */
  readonly again?: string;
  /** Known failures are shown as known in the progress, too. */
  readonly baseline?: Baseline;
}

/**
 * Asks the user, sweeps what earlier runs left, runs the clauses, cleans up, and hands the result to `report`, which returns the exit code.
 * Throws UsageError before anything is sent.
 */
export async function runOnTarget(
  { io }: CliContext,
  { names, target, policy, ledger, values, seed, again, baseline = new Map() }: TargetRun,
  report: (result: RunResult, session: Session) => number | Promise<number>,
): Promise<number> {
  const leftoverContext = { io, folder: values.ledger };
  const runnable = testableClauses(names, checks(), withReceiver(target), policy);
  ledger.ready();
  await confirmRemoteRun(
    { io, yes: values.yes },
    target.url,
    policy,
    planText(planRun(runnable, policy), policy, target.ratePerMinute),
  );
  const shown = values.quiet ? noProgress : progress(names, io.stderr);
  const session = openSession(target, waitingOn(shown), policy);
  const { signal, done } = interruptible(io);
  try {
    const { leftBefore, trouble } = await prepareTarget(leftoverContext, ledger, session);
    if (trouble !== undefined) {
      io.stderr.write(`${trouble}\n`);
      return leftBefore.length > 0 ? 5 : 3;
    }
    const result = await runInSession(io, session, {
      names,
      runnable,
      ledger,
      signal,
      leftBefore,
      ...(seed === undefined ? {} : { seed }),
      ...(again === undefined ? {} : { again }),
      onResult: (clause) => shown.finished(asKnown(clause, baseline)),
    }).finally(shown.end);
    await reportLeftovers(leftoverContext, ledger, target, result);
    return await report(result, session);
  } finally {
    done();
    await session.client.close();
    ledger.close();
  }
}

export interface Prepared {
  /** What earlier runs left: one sentence each. */
  readonly leftBefore: readonly string[];
  /** Why the target cannot be tested. */
  readonly trouble?: string;
}

/** Sweeps what earlier runs left, and checks that the target answers and accepts the key. */
export async function prepareTarget(
  context: Parameters<typeof sweepAndReport>[0],
  ledger: LedgerFolder,
  session: Session,
): Promise<Prepared> {
  const { stderr } = context.io;
  const { policy } = session.gate;
  const leftovers = await leftoversIn(ledger, session.target);
  const number = leftovers.entries.length;
  if (number > 0 && policy.mode === 'read-only')
    stderr.write(`Earlier runs left ${formatCount(number, 'record')}. A read-only run removes none; run sweep.\n`);
  if (number > 0 && policy.mode !== 'read-only') await sweepAndReport(context, ledger, leftovers, session);
  if (policy.mode === 'safe' && leftovers.entries.some((entry) => pending(entry) && !entry.outOfReach)) {
    session.gate.createNothing();
    stderr.write('The run creates nothing, because it could not remove what earlier runs left.\n');
  }
  const leftBefore = [...describeLeftovers(leftovers, session.target), ...describeDamage(ledger.damage())];
  const failed = (why: string): Prepared => ({ leftBefore, trouble: [...describeDamage(ledger.damage()), why].join('\n') });
  const trouble = await preflight(session);
  if (trouble !== undefined) return failed(trouble);
  if (policy.mode !== 'safe') return { leftBefore };
  const present = await webhooksPresent(session);
  if (present.trouble !== undefined) return failed(describeTrouble(present.trouble));
  session.gate.webhooksPresent = present.value;
  if (present.value !== 0 && !policy.allow.has('webhooks'))
    stderr.write(
      `The run creates nothing, because ${describeWebhooks(present.value)}, and each receives every voided card. Use --allow webhooks to create cards.\n`,
    );
  return { leftBefore };
}

interface SessionRun extends Pick<RunOptions, 'signal' | 'leftBefore' | 'seed' | 'again' | 'onResult'> {
  readonly names: readonly ClauseName[];
  /** The clauses that the profile and the policy allow. */
  readonly runnable: readonly ClauseName[];
  readonly ledger: LedgerFolder;
}

/** Runs the clauses that fit into the budget. In full mode on a remote target, one card is created and voided first. */
export async function runInSession(
  { stderr }: CliContext['io'],
  session: Session,
  { runnable, ledger, ...options }: SessionRun,
): Promise<RunResult> {
  const { target, gate } = session;
  const plan = planRun(runnable, gate.policy, gate.webhooksPresent);
  const hasCanary = gate.policy.mode === 'full' && !isLocal(target.url) && plan.total.creates > 1;
  const canary = async (run: Run) => {
    const isVoided = await isCanaryVoided(run);
    if (!isVoided) stderr.write('The run creates nothing more: its first card could not be proven gone.\n');
    return isVoided;
  };
  const more = hasCanary ? canaryCost : { requests: 0, creates: 0, faceValue: 0 };
  return runClauses({
    target,
    checks: checks(),
    suite,
    session,
    ledger,
    leftOut: plan.leftOut,
    planned: {
      requests: plan.requests + more.requests,
      creates: plan.total.creates + more.creates,
      faceValue: plan.total.faceValue + more.faceValue,
    },
    ...(hasCanary ? { canary } : {}),
    ...options,
  });
}
