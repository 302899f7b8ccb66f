import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { Session } from '../core/session.ts';
import { type Run, Trial } from '../core/trial.ts';
import { Blocked, Untested, Violation } from '../core/verdict.ts';
import { decimalsOf } from '../http/account-format.ts';
import type { Exchange } from '../http/exchange.ts';
import { createOracle, type Finding } from '../oracle/oracle.ts';
import { endRun } from '../safety/ending.ts';
import { Ledger } from '../safety/ledger.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import { cardIdField } from '../scenarios/adjustments.ts';
import { card, getByCode } from '../scenarios/cards.ts';
import { type AccountTraits, Sequence, SequenceFailure, type Step, take } from './steps.ts';

/** What all sequences share. */
export interface SequenceContext {
  readonly session: Session;
  readonly file: LedgerFolder | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What is found out once, for all sequences. */
export interface SharedTraits extends AccountTraits {
  readonly shared: Run['shared'];
}

/** The result of one sequence. */
export interface SequenceResult {
  /** The requests with their statuses, in words. */
  readonly requests: readonly string[];
  readonly exchanges: readonly Exchange[];
  readonly failure: SequenceFailure | undefined;
}

/** What `work` returned or threw, and what became of the cards that it created. */
export interface Outcome<T> {
  readonly value: T | undefined;
  readonly thrown: unknown;
  readonly cards: { readonly created: number; readonly voided: number; readonly left: readonly string[] };
  /** Set if the cleanup itself failed. */
  readonly cleanupFault: string | undefined;
}

/** Does the work with a ledger of its own and voids what it created, whatever happens. Throws only if nothing was sent. */
export async function withOwnLedger<T>(
  context: SequenceContext,
  shared: Run['shared'],
  work: (t: Trial) => Promise<T>,
): Promise<Outcome<T>> {
  const { session, file, signal } = context;
  const { target, redactor, client } = session;
  const ledger = new Ledger(redactor, target.profile, target.key, file && ((run) => file.writerOf(run)));
  const { key, profile, wire = [] } = target;
  const run: Run = { key, client, redactor, ledger, profile, wire, seed: 0, receiver: undefined, shared };
  const lock = await file?.begin(ledger.runId, target);
  const t = new Trial(run);
  const stop = () => t.end();
  signal?.addEventListener('abort', stop);
  let [value, thrown]: [T | undefined, unknown] = [undefined, undefined];
  let cleanupFault: string | undefined;
  try {
    value = await work(t);
  } catch (error) {
    thrown = error;
  } finally {
    t.end();
    signal?.removeEventListener('abort', stop);
    cleanupFault = await endRun(run, lock);
    // Only the last of many sequences is reported.
    client.exchanges.splice(0);
  }
  const count = (wanted: (state: string) => boolean) => ledger.entries.filter(({ state }) => wanted(state));
  const left = count((state) => state === 'left').map(({ name }) => name);
  const cards = {
    created: count((state) => state !== 'refused').length,
    voided: count((state) => state === 'gone').length,
    left,
  };
  return { value, thrown, cards, cleanupFault };
}

/** Finds out the decimals of the account's currency and the body field that names a card by its ID. */
export function accountTraits(context: SequenceContext): Promise<Outcome<SharedTraits>> {
  const shared: Run['shared'] = new Map();
  return withOwnLedger(context, shared, async (t) => {
    try {
      const { answer } = await card(t);
      const { currency } = answer.json as { currency?: unknown };
      const decimals = decimalsOf(currency) + Math.log10(t.run.client.formatOf().scale);
      return { decimals, canAdjustById: await canAdjustById(t), shared };
    } catch (error) {
      // The first sequence reports that no card can be created.
      if (!(error instanceof Blocked)) throw error;
      return { decimals: 2, canAdjustById: false, shared };
    }
  });
}

async function canAdjustById(t: Trial): Promise<boolean> {
  try {
    await cardIdField(t);
    return true;
  } catch (error) {
    if (error instanceof Untested && error.reason === 'fact-missing') return false;
    throw error;
  }
}

/** Sends the requests of the steps until the oracle finds a violation, and looks each card up in the end. */
export function runSequence(
  context: SequenceContext,
  traits: SharedTraits,
  steps: readonly Step[],
): Promise<Outcome<SequenceResult>> {
  return withOwnLedger(context, new Map(traits.shared), async (t) => {
    const { client } = t.run;
    const oracle = createOracle({ isOnlyClient: true, reader: new Reader(standardDocument, t.run.wire ?? []) });
    const findings: Finding[] = [];
    client.observer = {
      begin: () => oracle.begin(),
      observe: (exchange) => findings.push(...oracle.observe(exchange)),
    };
    const sequence = new Sequence(t, traits);
    const lookUp = async (code: string | undefined) => {
      if (code !== undefined) await getByCode(t, code);
      const violation = findings.splice(0).find(({ kind }) => kind === 'violated');
      if (violation) throw new SequenceFailure(violation.clause, violation.what);
    };
    try {
      for (const step of steps) await lookUp((await take(sequence, step))?.code);
      for (const { code } of sequence.cards) await lookUp(code);
      return { requests: t.did, exchanges: t.exchanges, failure: undefined };
    } catch (error) {
      const isFailure = error instanceof SequenceFailure || error instanceof Violation || error instanceof Blocked;
      if (!isFailure) throw error;
      const failure = error instanceof SequenceFailure ? error : new SequenceFailure(undefined, error.message);
      return { requests: t.did, exchanges: t.exchanges, failure };
    } finally {
      client.observer = undefined;
    }
  });
}
