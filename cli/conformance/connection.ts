import { type Baseline, markIfKnown } from '../../conformance/core/baseline.ts';
import { type ExitCode, exitCodes } from '../../conformance/core/exit.ts';
import type { RunPlan } from '../../conformance/core/planner.ts';
import { preflight, tryRead, webhooksPresent } from '../../conformance/core/preflight.ts';
import type { RunResult } from '../../conformance/core/result.ts';
import { checks } from '../../conformance/core/rule.ts';
import { type RunOptions, runRules } from '../../conformance/core/run.ts';
import { openSession, type Session } from '../../conformance/core/session.ts';
import { cliName, formatCount } from '../../conformance/core/text.ts';
import { realTime, type Waiting } from '../../conformance/http/rate.ts';
import { shellWord } from '../../conformance/report/escape.ts';
import { leftBehind } from '../../conformance/report/run-document.ts';
import { describeEntry, isPending, isRecord, reasonOf } from '../../conformance/safety/entries.ts';
import type { Leftovers } from '../../conformance/safety/ledger-folder.ts';
import { policyWithWebhooks } from '../../conformance/safety/policy.ts';
import { describeLeftovers, sweepLeftovers } from '../../conformance/safety/sweep.ts';
import { isCanaryVoided } from '../../conformance/scenarios/cards.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { interruptible } from './context.ts';
import { confirmRemoteRun } from './interaction.ts';
import { planOfTarget, planText } from './plan.ts';
import { Progress } from './progress.ts';
import type { TestTarget } from './target.ts';

interface RunSettings {
  /** The report appends the name of a rule to this command. The command then runs only this rule again. */
  readonly again?: string;
  /** Known failures. The progress display shows these failures as known-fail. */
  readonly baseline?: Baseline;
}

export class Connection {
  readonly test: TestTarget;
  readonly session: Session;
  /** Sentences about leftovers of earlier runs. */
  leftBefore: readonly string[] = [];
  #progress: Progress | undefined;

  constructor(test: TestTarget) {
    this.test = test;
    const sleep: Waiting['sleep'] = (ms, why) => {
      this.#progress?.waits(ms, why, test.trust.place === 'mock');
      return realTime.sleep(ms, why);
    };
    this.session = openSession(test.target, { ...realTime, sleep }, test.policy);
  }

  /** Reports whether the target responds and accepts the key. Sweeps the leftovers of earlier runs. */
  async prepare(): Promise<boolean> {
    const { ledger, target, policy, quiet } = this.test;
    const leftovers = await ledger.read(target);
    const { entries, damage } = leftovers;
    const unreachable = await preflight(this.session);
    if (unreachable === undefined && policy.modeBecause !== undefined && !quiet)
      this.#print(`${target.url}: ${policy.mode} mode (${policy.modeBecause}).`);
    if (unreachable === undefined && policy.mode !== 'read-only') await this.#sweep(leftovers);
    else if (entries.length > 0)
      this.#print(`Earlier runs left ${formatCount(entries.length, 'record')}. To remove them, run sweep.`);
    // With --leave-cards, the user accepts that the target cannot void the cards of the suite.
    this.leftBefore = [...describeLeftovers(leftovers, policy.leaveCards === undefined ? undefined : isRecord), ...damage];
    const trouble = unreachable ?? (await this.#checkWebhooks());
    if (trouble !== undefined) for (const line of [...damage, `${exitCodes[3].word}  ${trouble}`]) this.#print(line);
    return trouble === undefined;
  }

  #print(line: string): void {
    this.test.io.stderr.write(`${line}\n`);
  }

  async #sweep(leftovers: Leftovers): Promise<void> {
    const { gate, client } = this.session;
    if (leftovers.entries.length > 0) await sweepAndReport(this.test, this.session, leftovers);
    gate.policy = { ...gate.policy, sweeping: client.cleaned.length };
    if (this.test.policy.mode !== 'safe' || !leftovers.entries.some((entry) => isPending(entry) && !entry.outOfReach)) return;
    gate.limitCards();
    if (this.test.policy.leaveCards === undefined)
      this.#print('The run creates nothing, because it could not remove all leftovers of earlier runs.');
  }

  /** Changes a safe run to a read-only run if the account has webhooks. Returns a sentence if the target gave no response. */
  async #checkWebhooks(): Promise<string | undefined> {
    const { gate } = this.session;
    // Without a budget, the run changes nothing.
    if (gate.policy.mode !== 'safe' || gate.sent >= gate.policy.maxRequests) return undefined;
    const present = await tryRead(this.session, () => webhooksPresent(this.session));
    if (present.trouble !== undefined) return present.trouble;
    gate.policy = policyWithWebhooks(gate.policy, present.value);
    const { readOnlyBecause } = gate.policy;
    if (readOnlyBecause) this.#print(`The run changes nothing: ${readOnlyBecause.detail}.`);
    return undefined;
  }

  plan(names: readonly RuleName[]): RunPlan {
    return planOfTarget(names, { ...this.test, policy: this.session.gate.policy });
  }

  /** Runs the rules that fit into the budget. On a target that is not the mock, the run first creates and voids one card. */
  async run(names: readonly RuleName[], signal: AbortSignal, settings: RunSettings = {}): Promise<RunResult> {
    const { test, session, leftBefore } = this;
    const { baseline = new Map(), ...options } = settings;
    const { requests, total } = this.plan(names);
    const before = session.gate.sent;
    const sent = () => session.gate.sent - before;
    const progress = test.quiet ? undefined : new Progress(test.io.stderr, { rules: names.length, requests }, sent);
    this.#progress = progress;
    const result = await runRules({
      target: test.target,
      ledger: test.ledger,
      checks: checks(),
      names,
      session,
      signal,
      leftBefore,
      canary: this.canary(` (planned: ${total.creates})`),
      seed: test.seed,
      ...options,
      onResult: (rule) => progress?.finished(markIfKnown(rule, baseline)),
    }).finally(() => progress?.end());
    await reportLeftovers(test, result);
    return result;
  }

  /** Returns the function that creates and voids the first card of a run, and prints a sentence if the card is not voided. Returns undefined for the mock. */
  canary(planned = ''): RunOptions['canary'] {
    const { canary, leaveCards: most } = this.test.policy;
    if (!canary) return undefined;
    const others = most === undefined ? `no others. To leave N cards, use --leave-cards N${planned}` : `at most ${most}`;
    return async (run) => {
      const isVoided = await isCanaryVoided(run);
      if (!isVoided) this.#print(`The suite could not confirm that its first card is voided. The run creates ${others}.`);
      return isVoided;
    };
  }
}

const interrupted =
  'Interrupted. The suite now voids the cards that it created. To end at once, interrupt again, and then run sweep.';

/** Connects to a target and calls `work`. An interrupt aborts the signal. If the target cannot be tested, resolves with the exit code. */
export async function withConnection<R>(
  test: TestTarget,
  work: (connection: Connection, signal: AbortSignal) => Promise<R>,
): Promise<R | ExitCode> {
  const connection = new Connection(test);
  const { signal, done } = interruptible(test.io);
  signal.addEventListener('abort', () => test.io.stderr.write(`${interrupted}\n`));
  try {
    if (await connection.prepare()) return await work(connection, signal);
    return connection.leftBefore.length > 0 ? 5 : 3;
  } finally {
    done();
    await connection.session.client.close();
  }
}

/** Runs the rules and resolves with the result of `report`. If the user does not agree to the run, throws UsageError and sends nothing. */
export async function runOnTarget<R>(
  test: TestTarget,
  names: readonly RuleName[],
  report: (result: RunResult) => R | Promise<R>,
  settings: RunSettings = {},
): Promise<R | ExitCode> {
  await confirmRemoteRun(test, planText(planOfTarget(names, test), test));
  return withConnection(test, async (connection, signal) => report(await connection.run(names, signal, settings)));
}

const MOST_LISTED = 5;

/** Voids and deletes leftovers, prints the outcome, and returns how many of them may still exist. */
export async function sweepAndReport(test: TestTarget, session: Session, leftovers: Leftovers): Promise<number> {
  const { entries } = leftovers;
  await sweepLeftovers(test.ledger, leftovers, session);
  const left = entries.filter(isPending);
  const none = `The ledger ${test.ledger.path} lists no leftovers of ended runs.`;
  const gone = `${entries.length - left.length} of ${formatCount(entries.length, 'leftover')} of earlier runs are gone.`;
  // With --leave-cards, the user knows that the target cannot void cards.
  const shown = test.policy.leaveCards === undefined ? left.slice(0, MOST_LISTED) : [];
  const lines = shown.map((entry) => `LEFT BEHIND  ${describeEntry(entry)} (${reasonOf(entry)})`);
  if (left.length > shown.length) lines.push(`The command "${cliName} ledger" lists all ${left.length} that may still exist.`);
  print(test, [entries.length === 0 ? none : gone, ...lines], left.length > 0);
  return left.length;
}

/** Prints the leftovers of a run at once, because the report may fail later. */
async function reportLeftovers(test: TestTarget, result: RunResult): Promise<void> {
  const { damage } = await test.ledger.read();
  const lines = [...leftBehind({ ...result, leftBefore: [] }), ...damage].map((sentence) => `LEFT BEHIND  ${sentence}`);
  print(test, lines, lines.length > damage.length);
}

function print({ io, ledger, trust }: TestTarget, lines: readonly string[], isLeft: boolean): void {
  const command = `${cliName} ledger --target ${shellWord(trust.service)} --ledger ${shellWord(ledger.path)} --forget NAME`;
  const hint = `If a leftover is already gone, or the account is closed, use this command with the leftover's name as NAME: ${command}`;
  for (const line of isLeft ? [...lines, hint] : lines) io.stderr.write(`${line}\n`);
}
