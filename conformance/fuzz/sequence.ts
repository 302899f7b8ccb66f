import { decimalsOf } from '../../openapi/currency.ts';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import { ruleTexts } from '../core/contract.ts';
import { endRun, startRun } from '../core/run.ts';
import type { Session } from '../core/session.ts';
import { type Run, Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import { TransportError } from '../http/exchange.ts';
import { type Finding, Oracle } from '../oracle/oracle.ts';
import { SURELY_LATER } from '../oracle/order.ts';
import type { Client } from '../safety/client.ts';
import { countCards } from '../safety/entries.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import { adjustFunctions } from '../scenarios/adjustments.ts';
import { createCard, getByCode } from '../scenarios/cards.ts';
import type { FuzzFailure, FuzzResult } from './result.ts';
import { type FuzzSequence, type FuzzStep, takeStep } from './steps.ts';

export interface SequenceOptions {
  readonly session: Session;
  readonly file: LedgerFolder | undefined;
  readonly signal: AbortSignal | undefined;
  /** Creates and voids the first card of the run. If the result is false, the run creates only the cards that the policy allows to leave. */
  readonly canary: ((run: Run) => Promise<boolean>) | undefined;
  /** The run ends when more cards than this number could not be voided. */
  readonly maxLeft: number;
}

type Failure = Omit<FuzzFailure, 'again'>;

/** Maximum number of sequences that are sent to shorten a failing sequence. */
const maxShrinks = 200;
/** Maximum number of pauses until a sequence fails, and while a sequence with a wrong order is shortened. */
const maxPauses = { untilFailure: 5, whileShortened: 20 };
const orderRules: readonly unknown[] = ['list.last-updated-first', 'adjustment.history.newest-first'];

export class SequenceRunner {
  cases = 0;
  shrinks = 0;
  /** The failure of the shortest failing sequence. */
  failure: Failure | undefined;
  readonly cards: FuzzResult['cards'] = { created: 0, voided: 0, left: [] };
  cleanupFault: string | undefined;
  /** An error that ends the run without a result, such as a lost connection. */
  error: unknown;
  readonly #options: SequenceOptions;
  readonly #shared: Run['shared'] = new Map();
  #pausesLeft = maxPauses.untilFailure;

  constructor(options: SequenceOptions) {
    this.#options = options;
  }

  /** Runs a sequence. Returns false if the sequence contradicts the specification. Once the run is over, sends nothing and returns true. */
  async holds(steps: readonly FuzzStep[]): Promise<boolean> {
    // A run without steps does the work that all sequences share. So a sequence has the same card names when it is repeated alone.
    if (this.#shared.size === 0) await this.#run([]);
    if (this.#isOver()) return true;
    if (this.failure) this.shrinks += 1;
    else this.cases += 1;
    const failure = await this.#run(steps);
    if (!this.failure && failure) this.#pausesLeft = orderRules.includes(failure.rule) ? maxPauses.whileShortened : 0;
    this.failure = failure ?? this.failure;
    return !failure;
  }

  #isOver(): boolean {
    const { signal, maxLeft } = this.#options;
    const isBroken = this.error !== undefined || this.cleanupFault !== undefined;
    return signal?.aborted || isBroken || this.shrinks >= maxShrinks || this.cards.left.length > maxLeft;
  }

  async #pause({ rate }: Client): Promise<void> {
    if (this.#pausesLeft > 0) await rate.wait(SURELY_LATER + 100, 'rest');
    this.#pausesLeft -= 1;
  }

  /**
   * Sends the requests of the steps until the oracle finds a violation, then voids the created cards. Stores an error, because fast-check would report a
   * thrown error as a failing sequence.
   */
  async #run(steps: readonly FuzzStep[]): Promise<Failure | undefined> {
    const { session, file, signal, canary } = this.#options;
    const run = { ...startRun(session, 0), shared: this.#shared };
    const t = new Trial(run);
    const stop = () => t.end();
    signal?.addEventListener('abort', stop);
    const violations: Finding[] = [];
    let first = 0;
    let error: unknown;
    try {
      if (file) await run.ledger.storeIn(file);
      if (this.#shared.size === 0 && canary && !(await canary(run))) session.gate.limitCards();
      const traits = await t.shared('traits of the account', traitsOf);
      first = t.did.length;
      const pause = () => this.#pause(session.client);
      await takeSteps({ t, ...traits, cards: [], uniqueAdjustmentIds: [], pause }, steps, violations);
    } catch (thrown) {
      error = thrown;
    }
    session.client.observer = undefined;
    t.end();
    signal?.removeEventListener('abort', stop);
    if (error instanceof TransportError) await session.client.checkResponses();
    const cleanupFault = await endRun(run);
    this.cleanupFault ??= cleanupFault;
    // The result has the exchanges of the failing sequence only.
    session.client.exchanges.splice(0);
    const { created, voided, left } = countCards(run.ledger.all);
    this.cards.created += created;
    this.cards.voided += voided;
    this.cards.left.push(...left);
    const [violation] = violations;
    // If there is both a violation and an unusable response, the violation is the cause. A shorter sequence may have an unusable response instead.
    const isExplained = error instanceof Blocked && (violation ?? this.failure) !== undefined;
    if (!isExplained && !signal?.aborted) this.error ??= error;
    return violation && failureOf(t, first, violation);
  }
}

/** Describes a failure. Omits the requests of the trial before the index `first`. */
function failureOf({ did, exchanges, run }: Trial, first: number, { rule, what }: Finding): Failure {
  return {
    ...(rule === undefined ? {} : { rule }),
    did: did.slice(first).map((line) => run.redactor.mask(line)),
    expected: (rule && ruleTexts.get(rule)?.text) ?? '',
    got: run.redactor.mask(what),
    exchanges: exchanges.slice(first),
  };
}

async function traitsOf(t: Trial): Promise<Pick<FuzzSequence, 'decimals' | 'canAdjustById'>> {
  const { currency } = (await createCard(t)).response.json as { currency?: unknown };
  const decimals = decimalsOf(currency) + Math.log10(t.run.client.formatOf().scale);
  return { decimals, canAdjustById: (await adjustFunctions(t)).length > 1 };
}

/** Sends the requests of the steps. Looks up the card after each step, and all cards at the end. */
async function takeSteps(sequence: FuzzSequence, steps: readonly FuzzStep[], violations: Finding[]): Promise<void> {
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
