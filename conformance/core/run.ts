import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Target, withReceiver } from '../http/target.ts';
import { type Finding, Oracle } from '../oracle/oracle.ts';
import { countCards, describeLeft, isPending, isRecord } from '../safety/entries.ts';
import { Ledger } from '../safety/ledger.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import { emptyRateWindow, keepBelowLimit } from './clock.ts';
import { levelOf } from './contract.ts';
import { dropAbsent } from './endpoints.ts';
import { emptyResult, evaluate } from './evaluate.ts';
import { byHarm, planRun, type Total } from './planner.ts';
import { Receiver } from './receiver.ts';
import type { RuleResult, RunResult } from './result.ts';
import type { Check } from './rule.ts';
import { openSession, type Session } from './session.ts';
import { cliName, suite } from './text.ts';
import type { Run } from './trial.ts';
import { testableRules, whyNotOffered, whyUntestable } from './untestable.ts';
import { lateDetail } from './verdict.ts';

/** Seed of generated input and sequences. The seed is fixed, so that the cost of a run is known in advance. */
export const defaultSeed = 1;

export interface RunOptions {
  target: Target;
  names: readonly RuleName[];
  checks: readonly Check[];
  /** Milliseconds that a test may take, without the time spent waiting for the rate limit. */
  deadline?: number;
  seed?: number | undefined;
  /** An open connection to the target. The run does not close it. Default: a new connection. */
  session?: Session;
  ledger?: LedgerFolder;
  /** Creates one card and voids it, to test the cleanup. If the result is false, the run creates only the cards that the policy allows to leave. */
  canary?: ((run: Run) => Promise<boolean>) | undefined;
  leftBefore?: readonly string[];
  /** Ends the run early. The run still cleans up. */
  signal?: AbortSignal;
  again?: string;
  onResult?: (result: RuleResult) => void;
}

/** Tests the rules one after another, and cleans up even if the run fails. */
export async function runRules(options: RunOptions): Promise<RunResult> {
  const { target, checks, leftBefore = [] } = options;
  const startedAt = new Date().toISOString();
  const session = options.session ?? openSession(target);
  const run = startRun(session, options.seed ?? defaultSeed);
  let cleanupFault: string | undefined;
  let lostSince: string | undefined;
  const byName = new Map(checks.map((check) => [check.name, check]));
  const rules: RuleResult[] = [];
  const heldBack: RuleName[] = [];
  const failViolated = checkStatedRules(run);
  const plan = () => planRun(testableRules(options.names, checks, run.profile, session.gate.policy), session.gate.policy);
  const planned = plan();
  try {
    if (options.ledger) await run.ledger.storeIn(options.ledger);
    const { leftOut } = (await createsCanary(run, options, planned.total)) ? plan() : planned;
    for (const name of inOrder(options, session, byName)) {
      if (options.signal?.aborted || run.client.lostSince !== undefined) break;
      const check = byName.get(name);
      const why = check ? (whyNotOffered(check, run.profile, session.gate.policy) ?? leftOut.get(name)) : whyUntestable(name);
      if (!why) await keepBelowLimit(run);
      const before = session.gate.heldBack;
      const result =
        why || !check ? { ...emptyResult(name), verdict: 'untested' as const, ...why } : await evaluate(check, run, options);
      if (options.signal?.aborted && check && !why) break;
      if (result.fault === 'transport') await run.client.checkResponses();
      rules.push(result);
      if (session.gate.heldBack > before) heldBack.push(name);
      options.onResult?.(result);
    }
    if (!options.signal?.aborted && run.client.lostSince === undefined) await waitForLateDeliveries(run);
  } finally {
    lostSince = run.client.lostSince;
    run.client.emptyRateWindow = () => emptyRateWindow(run);
    cleanupFault = await endRun(run, () => (options.session ? undefined : run.client.close()));
  }
  const { mode, modeBecause, leaveCards } = session.gate.policy;
  const isInterrupted = options.signal?.aborted || lostSince !== undefined;
  const sorted = options.names.flatMap((name) => rules.filter((rule) => rule.name === name));
  return {
    kind: 'run',
    suite,
    target: target.url,
    startedAt,
    finishedAt: new Date().toISOString(),
    interrupted: isInterrupted ? { after: rules.length, of: options.names.length, since: lostSince } : undefined,
    rules: dropAbsent(failViolated(withLateDeliveries(sorted, run)), run.client.exchanges),
    cards: countCards(run.ledger.all),
    recordsLeft: run.ledger.all.flatMap((each) =>
      isRecord(each) && isPending(each) ? [{ what: each.what, value: each.url }] : [],
    ),
    leftBecause: describeLeft(run.ledger.all).map(([names, reason]) => `${names}: ${reason}`),
    leftBefore: [...leftBefore],
    requests: run.client.exchanges.length,
    peakPerMinute: run.client.rate.peakPerMinute,
    mode,
    modeBecause,
    leaveCards,
    spent: { ...session.gate.spent },
    planned: { requests: planned.requests, creates: planned.total.creates, faceValue: planned.total.faceValue },
    heldBack,
    configuration: {
      again: options.again ?? `${cliName} run`,
      profile: Object.keys(target.profile),
      seed: run.seed,
      ratePerMinute: target.ratePerMinute,
    },
    staleBaseline: [],
    cleanupFault,
  };
}

/** Creates and voids the first card, if the run needs cards. Without a void, limits the cards that the run may create, and returns true. */
async function createsCanary(run: Run, { canary, signal }: RunOptions, { creates, events }: Total): Promise<boolean> {
  const { gate } = run.client;
  if (!canary || signal?.aborted || creates + events === 0 || (await canary(run)) || gate.policy.cannotCreate) return false;
  gate.limitCards();
  return true;
}

/** Returns the names in the order of their tests: tests that may void the cards of other tests come last. A run that uses up its budget has tested what matters most. */
function inOrder({ names: all }: RunOptions, { gate }: Session, tests: ReadonlyMap<RuleName, Check>): RuleName[] {
  const names = Number.isFinite(gate.policy.maxRequests) ? byHarm(all) : all;
  return [false, true].flatMap((isLast) => names.filter((name) => (tests.get(name)?.isLast ?? false) === isLast));
}

export function startRun(session: Session, seed: number): Run {
  const { target, redactor, client } = session;
  const profile = withReceiver(target);
  const ledger = new Ledger(redactor, target);
  const receiver =
    profile.receiver && new Receiver(profile.receiver, (json) => client.formatOf().decode(json), target.deliveryTimeout);
  return { ...session, ledger, profile, seed, receiver, shared: new Map(), missing: new Map(), msAhead: 0, sentBeforeRelief: 0 };
}

/** A missing delivery gets this number of deadlines before the run ends. */
const CHANCES = 3;

/** Waits at the end of a run until a missing delivery arrives, or until it is too late for all of them. */
async function waitForLateDeliveries({ missing, receiver }: Run): Promise<void> {
  const all = [...missing.values()].flat();
  if (!receiver || all.length === 0) return;
  const end = Math.max(...all.map(({ since }) => since)) + CHANCES * receiver.deadline;
  await receiver.until(() => all.some((each) => each.delay() !== undefined), Math.max(0, end - performance.now()));
}

/** Returns the results at the end of a run. A rule that failed because of a delivery is untested if the delivery arrived after all. */
function withLateDeliveries(results: readonly RuleResult[], { missing, receiver }: Run): RuleResult[] {
  return results.map((result) => {
    const late = missing.get(result.name)?.find((each) => each.delay() !== undefined);
    if (!late || !receiver) return result;
    const { expected: _, got: __, ...others } = result;
    const detail = lateDetail(late.what, late.delay() ?? 0, receiver.deadline);
    return { ...others, verdict: 'untested', reason: 'late', detail };
  });
}

/** Cleanup voids cards, so a run without a test of voids finds violations of these rules, too. */
const voidRules = /^gift-card\.void\.(by-code-voids|by-id-voids|zeroes-balance)$/;

/** Checks all exchanges and deliveries of a run with the oracle, in addition to the tests. The returned function ends these checks, and turns the results of violated rules into failures. */
function checkStatedRules({ client, receiver, target }: Run): (results: readonly RuleResult[]) => RuleResult[] {
  const oracle = new Oracle({ reader: new Reader(standardDocument, target.overrides ?? []) });
  const findings: Finding[] = [];
  const shown: (Exchange | undefined)[] = [];
  client.observer = {
    begin: () => oracle.begin(),
    observe(exchange, masked) {
      shown.push(masked);
      findings.push(...oracle.observe(exchange));
    },
  };
  /** Only the run knows its cards, so no other client explains a card that is not Voided after a void. Lists may lag behind, so only look-ups count. */
  const isViolation = ({ kind, rule, exchanges }: Finding) =>
    kind === 'violated' ||
    (voidRules.test(rule ?? '') && shown[(exchanges.at(-1) ?? 0) - 1]?.path.startsWith('/api/GiftCard/GetBy'));
  if (receiver) receiver.onDelivery = (payload) => findings.push(...oracle.observeDelivery(payload));
  return (results) => {
    client.observer = undefined;
    findings.push(...oracle.end());
    return results.map((result) => {
      const finding = findings.find((each) => each.rule === result.name && isViolation(each));
      if (!finding || result.verdict === 'fail' || levelOf(result.name) !== 'stated') return result;
      const exchanges = finding.exchanges.flatMap((n) => shown[n - 1] ?? []);
      const did = exchanges.map(({ method, path, status }) => `${method} ${path} → ${status}`);
      // The oracle numbers all exchanges of the run. The result has only some of them.
      const got = finding.what.replace(/(?<=xchange )\d+/g, (n) => String(finding.exchanges.indexOf(Number(n)) + 1));
      return { ...emptyResult(result.name), verdict: 'fail', did, expected: result.text, got, exchanges };
    });
  };
}

/** Waits for the requests of a run, cleans up, and releases all resources. Resolves with the message of the first failure, if a step failed. */
export async function endRun(run: Run, close: () => unknown = () => undefined): Promise<string | undefined> {
  const steps: (() => unknown)[] = [
    () => run.client.settled(),
    () => run.ledger.sweep(run.client),
    () => run.receiver?.close(),
    close,
    () => run.ledger.close(),
  ];
  let fault: string | undefined;
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      fault ??= run.redactor.mask(error instanceof Error ? error.message : String(error));
    }
  }
  return fault;
}
