import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Session } from '../core/session.ts';
import { type Run, Trial } from '../core/trial.ts';
import { Blocked, Violation } from '../core/verdict.ts';
import { decimalsOf } from '../http/account-format.ts';
import type { Exchange } from '../http/exchange.ts';
import { createOracle, type Finding } from '../oracle/oracle.ts';
import { endRun } from '../safety/ending.ts';
import { Ledger } from '../safety/ledger.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import { adjustFunctions } from '../scenarios/adjustments.ts';
import { card, getByCode } from '../scenarios/cards.ts';
import { type AccountTraits, ClauseViolation, Sequence, type Step, takeStep } from './steps.ts';

/** The connection, ledger folder and signal that all sequences share. */
export interface SequenceContext {
  readonly session: Session;
  readonly file: LedgerFolder | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Facts about the account that the first requests find out, for all sequences. */
export interface SharedTraits extends AccountTraits {
  readonly shared: Run['shared'];
  /** The exchanges of these requests, which are not part of a sequence. */
  readonly exchanges: ReadonlySet<Exchange>;
}

/** How a sequence contradicts the specification. */
interface SequenceFailure {
  /** Undefined if no single clause states it. */
  readonly clause: ClauseName | undefined;
  /** Undefined: the text of the clause. */
  readonly expected: string | undefined;
  readonly got: string;
}

export interface SequenceResult {
  /** The requests with their statuses, in words. */
  readonly requests: readonly string[];
  readonly exchanges: readonly Exchange[];
  readonly failure: SequenceFailure | undefined;
}

/** The result or the error of `work`, and whether the cards that it created were voided. */
export interface Outcome<T> {
  readonly value: T | undefined;
  readonly thrown: unknown;
  readonly cards: { readonly created: number; readonly voided: number; readonly left: readonly string[] };
  /** Set if the cleanup itself failed. */
  readonly cleanupFault: string | undefined;
}

/** Calls `work` with a ledger of its own, then voids the created cards, even if `work` throws. Throws only if nothing was sent. */
async function withOwnLedger<T>(
  { session, file, signal }: SequenceContext,
  shared: Run['shared'],
  work: (t: Trial) => Promise<T>,
): Promise<Outcome<T>> {
  const { target, redactor, client } = session;
  const ledger = new Ledger(redactor, target.profile, target.key, file && ((run) => file.writerOf(run)));
  const { key, profile, overrides = [] } = target;
  const run: Run = { key, client, redactor, ledger, profile, overrides, seed: 0, receiver: undefined, shared };
  const lock = await file?.begin(ledger.runId, target);
  const t = new Trial(run);
  const stop = () => t.end();
  signal?.addEventListener('abort', stop);
  const [value, thrown] = await work(t).then(
    (result): [T, undefined] => [result, undefined],
    (error: unknown): [undefined, unknown] => [undefined, error],
  );
  t.end();
  signal?.removeEventListener('abort', stop);
  const cleanupFault = await endRun(run, lock);
  // The result shows only the last of many sequences.
  client.exchanges.splice(0);
  const { entries } = ledger;
  const cards = {
    created: entries.filter(({ state }) => state !== 'refused').length,
    voided: entries.filter(({ state }) => state === 'gone').length,
    left: entries.flatMap(({ state, name }) => (state === 'left' ? [name] : [])),
  };
  return { value, thrown, cards, cleanupFault };
}

/** Finds out the decimals of the account's currency and the body field that names a card by its ID. */
export function accountTraits(context: SequenceContext): Promise<Outcome<SharedTraits>> {
  const shared: Run['shared'] = new Map();
  return withOwnLedger(context, shared, async (t) => {
    const traits = await traitsOf(t).catch((error: unknown) => {
      // The first sequence reports that no card can be created.
      if (!(error instanceof Blocked)) throw error;
      return { decimals: 2, canAdjustById: false };
    });
    return { ...traits, shared, exchanges: new Set(t.exchanges) };
  });
}

async function traitsOf(t: Trial): Promise<AccountTraits> {
  const { currency } = (await card(t)).answer.json as { currency?: unknown };
  const decimals = decimalsOf(currency) + Math.log10(t.run.client.formatOf().scale);
  return { decimals, canAdjustById: (await adjustFunctions(t)).length > 1 };
}

/** Sends the requests of the steps until the oracle finds a violation. Looks up the card after each step, and all cards at the end. */
export function runSequence(
  context: SequenceContext,
  traits: SharedTraits,
  steps: readonly Step[],
): Promise<Outcome<SequenceResult>> {
  return withOwnLedger(context, new Map(traits.shared), async (t) => {
    const { client } = t.run;
    const oracle = createOracle({ isOnlyClient: true, reader: new Reader(standardDocument, t.run.overrides ?? []) });
    const violations: Finding[] = [];
    client.observer = {
      begin: () => oracle.begin(),
      observe: (exchange) => violations.push(...oracle.observe(exchange).filter(({ kind }) => kind === 'violated')),
    };
    const sequence = new Sequence(t, traits);
    const codes = async function* () {
      for (const step of steps) yield (await takeStep(sequence, step))?.code;
      for (const { code } of sequence.cards) yield code;
    };
    let thrown: unknown;
    try {
      for await (const code of codes()) {
        if (code !== undefined) await getByCode(t, code);
        if (violations.length > 0) break;
      }
    } catch (error) {
      if (!(error instanceof Violation || error instanceof Blocked)) throw error;
      thrown = error;
    } finally {
      client.observer = undefined;
    }
    const isOwn = (_: unknown, index: number) => !traits.exchanges.has(t.exchanges[index] as Exchange);
    const failure = failureOf(violations[0], thrown);
    return { requests: t.did.filter(isOwn), exchanges: t.exchanges.filter(isOwn), failure };
  });
}

/** A violation that the oracle found explains why a step could not use an answer. */
function failureOf(violation: Finding | undefined, thrown: unknown): SequenceFailure | undefined {
  if (violation) return { clause: violation.clause, expected: undefined, got: violation.what };
  if (thrown instanceof Violation) {
    const clause = thrown instanceof ClauseViolation ? thrown.clause : undefined;
    return { clause, expected: thrown.expected, got: thrown.got };
  }
  return thrown instanceof Blocked
    ? { clause: undefined, expected: 'an answer that the next step can use', got: thrown.message }
    : undefined;
}
