import type { ClauseName } from '../../openapi/generated/clauses.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { type Baseline, markIfKnown } from '../core/baseline.ts';
import { checks } from '../core/clause.ts';
import type { ExitCode } from '../core/exit.ts';
import { describeTrouble, preflight, webhooksPresent } from '../core/preflight.ts';
import type { RunResult } from '../core/result.ts';
import { runClauses } from '../core/run.ts';
import { openSession, type Session } from '../core/session.ts';
import { isLocal } from '../core/target.ts';
import { formatCount } from '../core/text.ts';
import { realTime } from '../http/rate.ts';
import { pending } from '../safety/entries.ts';
import { describeDamage, describeLeftovers, leftoversIn } from '../safety/leftovers.ts';
import type { Plan } from '../safety/planner.ts';
import { describeWebhooks } from '../safety/policy.ts';
import { canaryCost, isCanaryVoided } from '../scenarios/cards.ts';
import type { Io } from './context.ts';
import { confirmRemoteRun, interruptible } from './interaction.ts';
import { reportLeftovers, sweepAndReport } from './leftovers.ts';
import { planOf, planText } from './plan.ts';
import { noScreen, Progress } from './progress.ts';
import type { TestTarget } from './target.ts';

/** Name and version of the suite, for results. */
export const suite = `giftcard-sandbox ${packageFile.version}`;

interface RunSettings {
  readonly seed?: number | undefined;
  /** The command that runs one clause again when the clause's name is appended. */
  readonly again?: string;
  /** Known failures are printed as known in the progress, too. */
  readonly baseline?: Baseline;
}

/** The connection of a command to a target: it sweeps, runs clauses and reports what is left. */
export class Connection {
  readonly test: TestTarget;
  readonly session: Session;
  /** Leftovers of earlier runs: one sentence each. */
  leftBefore: readonly string[] = [];
  readonly #progress: Progress;

  /** `earlier`: a connection to the same target, whose budget and rate this one continues. */
  constructor(test: TestTarget, earlier?: Connection) {
    this.test = test;
    const progress = new Progress(test.quiet ? noScreen : test.io.stderr);
    this.#progress = progress;
    const time = {
      ...realTime,
      sleep(ms: number, why: Parameters<typeof realTime.sleep>[1]) {
        progress.waits(ms, why);
        return realTime.sleep(ms, why);
      },
    };
    this.session = openSession(test.target, time, test.policy, earlier?.session);
  }

  /** Sweeps what earlier runs left, and checks that the target answers and accepts the key. Returns whether it does. */
  async prepare(): Promise<boolean> {
    const { io, ledger } = this.test;
    ledger.ready();
    await this.#sweep();
    const trouble = (await preflight(this.session)) ?? (await this.#checkWebhooks());
    if (trouble !== undefined) for (const line of [...describeDamage(ledger.damage()), trouble]) io.stderr.write(`${line}\n`);
    return trouble === undefined;
  }

  async #sweep(): Promise<void> {
    const { io, ledger, policy, target } = this.test;
    const leftovers = await leftoversIn(ledger, target);
    const number = leftovers.entries.length;
    if (number > 0 && policy.mode === 'read-only')
      io.stderr.write(`Earlier runs left ${formatCount(number, 'record')}. A read-only run removes none; run sweep.\n`);
    if (number > 0 && policy.mode !== 'read-only') await sweepAndReport(this, leftovers);
    if (policy.mode === 'safe' && leftovers.entries.some((entry) => pending(entry) && !entry.outOfReach)) {
      this.session.gate.createNothing();
      io.stderr.write('The run creates nothing, because it could not remove what earlier runs left.\n');
    }
    this.leftBefore = [...describeLeftovers(leftovers, target), ...describeDamage(ledger.damage())];
  }

  /** In safe mode, webhooks of the account forbid creating cards. Returns why they could not be counted. */
  async #checkWebhooks(): Promise<string | undefined> {
    const { io, policy } = this.test;
    if (policy.mode !== 'safe') return undefined;
    const present = await webhooksPresent(this.session);
    if (present.trouble !== undefined) return describeTrouble(present.trouble);
    this.session.gate.webhooksPresent = present.value;
    if (present.value !== 0 && !policy.allow.has('webhooks'))
      io.stderr.write(
        `The run creates nothing, because ${describeWebhooks(present.value)}, and each receives every voided card. Use --allow webhooks to create cards.\n`,
      );
    return undefined;
  }

  plan(names: readonly ClauseName[]): Plan {
    const { policy, webhooksPresent: present } = this.session.gate;
    return planOf(names, { ...this.test, policy }, present);
  }

  /** Runs the clauses that fit into the budget. In full mode on a remote target, one card is created and voided first. */
  async run(names: readonly ClauseName[], signal: AbortSignal, settings: RunSettings = {}): Promise<RunResult> {
    const { test, session, leftBefore } = this;
    const { gate } = session;
    const { seed, again, baseline = new Map() } = settings;
    const plan = this.plan(names);
    const hasCanary = gate.policy.mode === 'full' && !isLocal(test.target.url) && plan.total.creates > 1;
    const more = hasCanary ? canaryCost : { requests: 0, creates: 0, faceValue: 0 };
    const { creates, faceValue } = plan.total;
    this.#progress.begin(names);
    const result = await runClauses({
      target: test.target,
      ledger: test.ledger,
      checks: checks(),
      names,
      suite,
      session,
      signal,
      leftBefore,
      leftOut: plan.leftOut,
      planned: {
        requests: plan.requests + more.requests,
        creates: creates + more.creates,
        faceValue: faceValue + more.faceValue,
      },
      ...(hasCanary ? { canary: (run) => this.#isCanaryVoided(run) } : {}),
      ...(seed === undefined ? {} : { seed }),
      ...(again === undefined ? {} : { again }),
      onResult: (clause) => this.#progress.finished(markIfKnown(clause, baseline)),
    }).finally(() => this.#progress.end());
    await reportLeftovers(this, result);
    return result;
  }

  async #isCanaryVoided(run: Parameters<typeof isCanaryVoided>[0]): Promise<boolean> {
    const isVoided = await isCanaryVoided(run);
    if (!isVoided) this.test.io.stderr.write('The run creates nothing more: its first card could not be proven gone.\n');
    return isVoided;
  }

  async close(): Promise<void> {
    await this.session.client.close();
    this.test.ledger.close();
  }
}

/**
 * Connects to the targets, and calls `work` if all of them can be tested. An interrupt aborts its signal. Resolves with the exit code instead if a
 * target cannot be tested.
 */
export async function withConnections<T>(
  io: Io,
  tests: readonly TestTarget[],
  work: (connections: readonly Connection[], signal: AbortSignal) => Promise<T>,
): Promise<T | ExitCode> {
  const connections = tests.map((test) => new Connection(test));
  const { signal, done } = interruptible(io);
  try {
    const ready = await allSettled(connections.map((each) => each.prepare()));
    if (ready.includes(false)) return connections.some(({ leftBefore }) => leftBefore.length > 0) ? 5 : 3;
    return await work(connections, signal);
  } finally {
    done();
    for (const connection of connections) await connection.close();
  }
}

/** Waits for all even if one fails, so that all have cleaned up. */
export async function allSettled<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** Asks the user, and runs the clauses on one target. Resolves with what `report` returns. Throws UsageError before anything is sent. */
export async function runOnTarget<T>(
  test: TestTarget,
  names: readonly ClauseName[],
  settings: RunSettings & { readonly yes: boolean | undefined },
  report: (result: RunResult, session: Session) => T | Promise<T>,
): Promise<T | ExitCode> {
  await confirmRemoteRun(test, settings.yes, planText(planOf(names, test), test));
  return withConnections(test.io, [test], async ([connection], signal) => {
    if (!connection) throw new Error('There is one connection.');
    return report(await connection.run(names, signal, settings), connection.session);
  });
}
