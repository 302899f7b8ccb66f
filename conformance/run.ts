import type { ClauseName } from '../openapi/generated/clauses.ts';
import { beyondReach } from './beyond-reach.ts';
import type { Check, Seen } from './clause.ts';
import { clauseTexts, shownLevel } from './contract.ts';
import { rowsLike } from './facts/rows.ts';
import { Ledger } from './ledger.ts';
import { excerpt } from './names.ts';
import type { Waiting } from './rate.ts';
import { Receiver } from './receiver.ts';
import { brokenAmong } from './report/endpoints.ts';
import { type ClauseResult, type Fact, type PlannedCost, REPLAY, type RunResult } from './result.ts';
import { canaryGone } from './safety/canary.ts';
import type { LedgerFile } from './safety/ledger-file.ts';
import type { Lock } from './safety/lock.ts';
import { isRecord } from './safety/own-records.ts';
import type { Policy, Why } from './safety/policy.ts';
import { openSession, type Session } from './session.ts';
import { type Need, type Profile, type Target, withReceiver } from './target.ts';
import { type Run, Trial } from './trial.ts';
import { Blocked, NotAnswered, type Reason, TransportError, Untested, Violation } from './verdict.ts';

export interface RunOptions {
  target: Target;
  /** The clauses to judge, in order. */
  names: readonly ClauseName[];
  checks: readonly Check[];
  suite: string;
  /** Milliseconds that one check may take, waiting for the rate limit not counted. */
  deadline?: number;
  time?: Waiting;
  /** From which odd input is made: the same again for the same number. */
  seed?: number;
  /** The way to the target, where other things go through it too; it stays open. */
  session?: Session;
  /** Where what is created is written down beyond this process. */
  ledger?: LedgerFile;
  /** Clauses that are not tried, and why. */
  leftOut?: ReadonlyMap<ClauseName, Why>;
  /** One card is created and taken away before any other is; is told where that did not work, and nothing more is created. */
  canary?: (sentence: string) => void;
  /** What earlier runs have left, for the result. */
  leftBefore?: readonly string[];
  /** What the run was planned to cost, for the receipt. */
  planned?: PlannedCost;
  /** Ends the run early: what was created is still voided. */
  signal?: AbortSignal;
  /** The command that judges one clause once more, but for the clause's name. */
  again?: string;
  onResult?: (result: ClauseResult) => void;
}

/** Judges the clauses one after another, each alone, and voids what was created, whatever happened. */
export async function runClauses(options: RunOptions): Promise<RunResult> {
  const { target, checks, leftBefore = [] } = options;
  const startedAt = new Date().toISOString();
  const session = options.session ?? openSession(target, options.time);
  const run = startRun(session, options.seed ?? usualSeed, options.ledger);
  let lock: Lock | undefined;
  let cleanupFault: string | undefined;
  const byName = new Map(checks.map((check) => [check.name, check]));
  const clauses: ClauseResult[] = [];
  try {
    lock = await options.ledger?.begin(run.ledger.runId, target);
    if (options.canary && !options.signal?.aborted && !(await canaryGone(run))) {
      session.gate.createNothing();
      options.canary('Nothing more is created: the first card of the run could not be proven gone.');
    }
    for (const name of options.names) {
      if (options.signal?.aborted) break;
      const check = byName.get(name);
      const why = check ? (missing(check, run.profile, session.gate.policy) ?? options.leftOut?.get(name)) : beyondReach(name);
      const result = why || !check ? unjudged(name, why) : await judge(check, run, options);
      if (options.signal?.aborted && check && !why) break;
      clauses.push(result);
      options.onResult?.(result);
    }
  } finally {
    const [fault] = await eachDone([
      () => run.halted,
      () => run.client.settled(),
      () => run.ledger.sweep(run.client),
      () => run.receiver?.close(),
      () => (options.session ? undefined : run.client.close()),
      () => lock?.release(),
    ]);
    if (fault !== undefined) cleanupFault = run.names.mask(fault instanceof Error ? fault.message : String(fault));
  }
  const { entries } = run.ledger;
  const cleaningBroke = brokenAmong(run.client.cleaned);
  return {
    suite: options.suite,
    target: target.url,
    startedAt,
    finishedAt: new Date().toISOString(),
    clauses,
    cards: {
      created: entries.filter(({ state }) => state !== 'refused').length,
      voided: entries.filter(({ state }) => state === 'gone').length,
      left: entries
        .filter(({ state }) => state === 'left')
        .map(({ name, code }) => (options.ledger || code === '' ? name : `${name} (its code ends in ${code.slice(-4)})`)),
    },
    recordsLeft: run.ledger.all
      .filter(isRecord)
      .filter(({ state }) => state === 'left')
      .map(({ what, url }) => ({ what, value: url })),
    ...(leftBefore.length > 0 ? { leftBefore: [...leftBefore] } : {}),
    ...(cleaningBroke.length > 0 ? { cleaningBroke } : {}),
    requests: run.client.exchanges.length,
    peakPerMinute: run.client.peakPerMinute(),
    mode: session.gate.policy.mode,
    spent: { ...session.gate.spent },
    ...(options.planned ? { planned: options.planned } : {}),
    heldBack: session.gate.heldBack,
    ...(options.signal?.aborted ? { interrupted: true } : {}),
    configuration: {
      again: options.again ?? REPLAY,
      profile: Object.keys(target.profile),
      seed: run.seed,
      ...(target.ratePerMinute === undefined ? {} : { ratePerMinute: target.ratePerMinute }),
    },
    staleBaseline: [],
    ...(cleanupFault === undefined ? {} : { cleanupFault }),
  };
}

/** Does each, whatever became of those before it, and resolves with what was thrown. */
async function eachDone(steps: readonly (() => unknown)[]): Promise<unknown[]> {
  const thrown: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      thrown.push(error);
    }
  }
  return thrown;
}

/** The same for whoever names none, so that what a run costs is known beforehand. */
export const usualSeed = 1;

function startRun({ target, names, client, gate }: Session, seed: number, file: LedgerFile | undefined): Run {
  const profile = withReceiver(target);
  const ledger = new Ledger(names, target.profile, target.key, file && ((run) => file.keeperOf(run)));
  ledger.whenProven = (entry, cleaning) => gate.nothingCame(entry, cleaning);
  return {
    key: target.key,
    client,
    names,
    ledger,
    profile,
    seed,
    receiver: profile.receiver && new Receiver(profile.receiver, (json) => client.dialectOf().read(json)),
    shared: new Map(),
  };
}

const reasonFor = (need: Need): Reason => reasons[need] ?? 'fixture-missing';

const reasons: Partial<Record<Need, Reason>> = {
  secondKey: 'no-second-key',
  noRateLimit: 'budget',
  receiver: 'no-receiver',
  clock: 'needs-control',
};

type Terms = Pick<Policy, 'patient' | 'inputs'>;

/** Those of the clauses that can be tried with what the profile offers. */
export function makeable(
  names: readonly ClauseName[],
  checks: readonly Check[],
  profile: Profile,
  policy: Terms = {},
): ClauseName[] {
  const able = new Set(checks.filter((check) => !missing(check, profile, policy)).map(({ name }) => name));
  return names.filter((name) => able.has(name));
}

function missing(check: Check, profile: Profile, policy: Terms): Why | undefined {
  if (check.inputs && policy.inputs === false)
    return { reason: 'not-allowed:inputs', detail: 'odd input is sent to this machine only, unless --inputs lets it' };
  if (check.inputs && policy.inputs === undefined && !profile.noRateLimit)
    return {
      reason: 'budget',
      detail: 'about four thousand requests of odd input, and the profile does not say noRateLimit; --inputs lets it',
    };
  if (check.burst && profile.noRateLimit) return { reason: 'budget', detail: 'the target says that it limits no rate' };
  if (check.burst && !profile.clock && !policy.patient) {
    const detail = 'minutes have to be waited out, for the profile gives no clock; --allow rate-limit lets it';
    return { reason: 'not-allowed:rate-limit', detail };
  }
  const isMissing = (each: Need) => profile[each] === undefined || profile[each] === false;
  const { needsOneOf = [] } = check;
  if (needsOneOf.length > 0 && needsOneOf.every(isMissing))
    return { reason: 'fixture-missing', detail: `the profile gives neither ${needsOneOf.join(' nor ')}` };
  const need = check.needs.find(isMissing);
  return need && { reason: reasonFor(need), detail: `the profile gives no ${need}` };
}

function described(name: ClauseName): Pick<ClauseResult, 'name' | 'level' | 'from' | 'text'> {
  const clause = clauseTexts.get(name);
  return { name, level: clause ? shownLevel(clause) : 'stated', from: clause?.from ?? [], text: clause?.text ?? '' };
}

function unjudged(name: ClauseName, why: Why | undefined): ClauseResult {
  return { ...described(name), verdict: 'untested', ...why, did: [], usedFacts: [], ms: 0, exchanges: [] };
}

async function judge(check: Check, run: Run, { deadline = 30_000, signal }: RunOptions): Promise<ClauseResult> {
  await run.halted;
  const trial = new Trial(run);
  const start = performance.now();
  const verdict = await inTime(check.run(trial, run.profile), trial, deadline, signal).then(
    (seen) => judged(check.name, seen, run),
    (thrown: unknown) => verdictOf(check.name, thrown, run),
  );
  return {
    ...described(check.name),
    ...verdict,
    // As they are now: a check that was given up may still be told an answer.
    did: [...trial.did],
    ...(trial.controlHeld === undefined ? {} : { control: run.names.mask(trial.controlHeld) }),
    usedFacts: [...trial.usedFacts],
    ...(trial.notJudged === undefined ? {} : { notJudged: trial.notJudged }),
    ms: Math.round(performance.now() - start),
    exchanges: [...trial.exchanges],
  };
}

type Found = Pick<ClauseResult, 'verdict' | 'reason' | 'detail' | 'fault' | 'expected' | 'got' | 'fact'>;

/** A statement that was not violated passes, and so does an ambiguous one that shows a listed reading; what is open is observed. */
function judged(name: ClauseName, seen: Seen | undefined, run: Run): Found {
  // A target that has answered everything the same way so far has shown nothing.
  if (run.client.allAlike)
    return { verdict: 'untested', reason: 'all-answers-alike', detail: 'every answer of this run was the same' };
  if (seen === undefined) return { verdict: 'pass' };
  const fact = factOf(name, seen, run);
  const passes = clauseTexts.get(name)?.level === 'ambiguous' && fact.reading !== null;
  return { verdict: passes ? 'pass' : 'observed', fact };
}

function factOf(name: ClauseName, seen: Seen, { names }: Run): Fact {
  if (typeof seen === 'string') return { reading: seen, told: seen };
  const rows = seen.shown === undefined ? [] : rowsLike(name, seen.shown);
  // What a row says is written as it is; one that holds what a report masks is left out.
  const wire = rows.filter((row) => names.mask(JSON.stringify(row)) === JSON.stringify(row));
  const told =
    'reading' in seen ? { reading: seen.reading, told: seen.reading } : { reading: null, told: excerpt(names.mask(seen.told)) };
  return wire.length > 0 ? { ...told, wire } : told;
}

/** A question cannot be answered wrongly: where it is open, what did not come out as expected only stood in the way of looking. */
function verdictOf(name: ClauseName, thrown: unknown, { names }: Run): Found {
  const level = clauseTexts.get(name)?.level ?? 'stated';
  if (thrown instanceof Violation && (level === 'open' || (level === 'ambiguous' && thrown instanceof NotAnswered)))
    return { verdict: 'blocked', detail: names.mask(thrown.message) };
  if (thrown instanceof Violation) return { verdict: 'fail', expected: names.mask(thrown.expected), got: names.mask(thrown.got) };
  if (thrown instanceof Untested) return { verdict: 'untested', reason: thrown.reason, detail: names.mask(thrown.message) };
  if (thrown instanceof Blocked) return { verdict: 'blocked', detail: names.mask(thrown.message) };
  const detail = names.mask(thrown instanceof Error ? thrown.message : String(thrown));
  if (thrown instanceof TransportError) return { verdict: 'error', fault: 'transport', detail };
  const where = thrown instanceof Error ? (thrown.stack?.split('\n')[1]?.trim() ?? '') : '';
  return { verdict: 'error', fault: 'suite', detail: `${detail} ${where}`.trim() };
}

/** Time spent waiting for the target's rate limit extends the deadline. */
async function inTime<T>(work: Promise<T>, trial: Trial, deadline: number, signal?: AbortSignal): Promise<T> {
  const { client } = trial.run;
  const start = performance.now() - client.waited;
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  const late = new Promise<never>((_, reject) => {
    const look = () => {
      const left = deadline - (performance.now() - client.waited - start);
      if (left > 0 || client.waiting) timer = setTimeout(look, Math.max(left, 50));
      else reject(new TransportError(`no verdict within ${deadline} ms`));
    };
    timer = setTimeout(look, deadline);
    stop = () => reject(new TransportError('the run was interrupted'));
    signal?.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    trial.end();
  }
}
