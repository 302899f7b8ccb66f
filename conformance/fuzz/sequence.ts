import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { FuzzResult } from '../core/result.ts';
import { startRun } from '../core/run.ts';
import type { Session } from '../core/session.ts';
import { type Run, Trial } from '../core/trial.ts';
import { Blocked, Violation } from '../core/verdict.ts';
import { decimalsOf } from '../http/account-format.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Finding, Oracle } from '../oracle/oracle.ts';
import { endRun } from '../safety/ending.ts';
import { countCards } from '../safety/entries.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import { adjustFunctions } from '../scenarios/adjustments.ts';
import { card, getByCode } from '../scenarios/cards.ts';
import { type AccountTraits, Sequence, type Step, takeStep } from './steps.ts';

/** The connection, ledger folder and signal that all sequences share. */
export interface SequenceContext {
  readonly session: Session;
  readonly file: LedgerFolder | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface SequenceResult {
  /** The requests with their statuses, in words. */
  readonly requests: readonly string[];
  readonly exchanges: readonly Exchange[];
  /** How the sequence contradicts the specification. */
  readonly failure: Pick<Finding, 'clause' | 'what'> | undefined;
  /** What prevented a result, such as a lost connection. */
  readonly error: unknown;
  readonly cards: FuzzResult['cards'];
  /** Set if the cleanup itself failed. */
  readonly cleanupFault: string | undefined;
}

/**
 * Sends the requests of the steps until the oracle finds a violation, then voids the created cards. Throws only if nothing was sent. `shared`: what the
 * first sequence found out for all.
 */
export async function runSequence(
  { session, file, signal }: SequenceContext,
  shared: Run['shared'],
  steps: readonly Step[],
): Promise<SequenceResult> {
  const { client } = session;
  const run = { ...startRun(session, 0), shared };
  if (file) await run.ledger.storeIn(file);
  const t = new Trial(run);
  const stop = () => t.end();
  signal?.addEventListener('abort', stop);
  const violations: Finding[] = [];
  let first = 0;
  let error: unknown;
  try {
    const traits = await t.shared('traits of the account', traitsOf);
    first = t.did.length;
    await takeSteps(new Sequence(t, traits), steps, violations);
  } catch (thrown) {
    error = thrown;
  }
  client.observer = undefined;
  t.end();
  signal?.removeEventListener('abort', stop);
  const cleanupFault = await endRun(run);
  // The result shows only the last of many sequences.
  client.exchanges.splice(0);
  const isUnusable = error instanceof Violation || error instanceof Blocked;
  return {
    requests: t.did.slice(first),
    exchanges: t.exchanges.slice(first),
    // A violation that the oracle found explains why a step could not use an answer.
    failure: violations[0] ?? (isUnusable ? { clause: undefined, what: String((error as Error).message) } : undefined),
    error: isUnusable ? undefined : error,
    cards: countCards(run.ledger.all),
    cleanupFault,
  };
}

/** Finds out the decimals of the account's currency, and whether the body field that names a card by its ID is known. */
async function traitsOf(t: Trial): Promise<AccountTraits> {
  const { currency } = (await card(t)).answer.json as { currency?: unknown };
  const decimals = decimalsOf(currency) + Math.log10(t.run.client.formatOf().scale);
  return { decimals, canAdjustById: (await adjustFunctions(t)).length > 1 };
}

/** Looks up the card after each step, and all cards at the end. */
async function takeSteps(sequence: Sequence, steps: readonly Step[], violations: Finding[]): Promise<void> {
  const { t } = sequence;
  const oracle = new Oracle({ isOnlyClient: true, reader: new Reader(standardDocument, t.run.target.overrides ?? []) });
  t.run.client.observer = {
    begin: () => oracle.begin(),
    observe: (exchange) => violations.push(...oracle.observe(exchange).filter(({ kind }) => kind === 'violated')),
  };
  for (const step of steps) {
    const on = await takeStep(sequence, step);
    if (on) await getByCode(t, on.code);
    if (violations.length > 0) return;
  }
  for (const { code } of sequence.cards) await getByCode(t, code);
}
