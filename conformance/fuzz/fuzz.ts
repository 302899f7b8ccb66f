import fc from 'fast-check';
import { clauseTexts } from '../core/contract.ts';
import type { FuzzFailure, FuzzResult } from '../core/result.ts';
import type { Session } from '../core/session.ts';
import type { Run } from '../core/trial.ts';
import { TransportError, Untested } from '../core/verdict.ts';
import { runSequence, type SequenceContext, type SequenceResult } from './sequence.ts';
import { anySequence, type Step } from './steps.ts';

export interface FuzzOptions extends SequenceContext {
  readonly seed: number;
  /** Most sequences of the run. */
  readonly runs: number;
  /** Steps of the longest sequence. */
  readonly steps: number;
  /** Runs only the sequence that an earlier run with the same seed and steps printed. */
  readonly path: string | undefined;
  /** Whether the run ends when a card could not be voided. */
  readonly stopsAtLeft: boolean;
  /** Name and version of the suite. */
  readonly suite: string;
  /** The command that repeats the run; with a path it repeats one sequence. */
  readonly again: string;
  /** Records that earlier runs left: one sentence each. */
  readonly leftBefore: readonly string[];
}

/** Most sequences that shorten a failing one. */
const maxShrinks = 200;

/** Runs random sequences until one contradicts the specification, then shortens that one. */
export async function fuzzSequences(options: FuzzOptions): Promise<FuzzResult> {
  const { session, seed, runs, steps, path, suite, again, leftBefore } = options;
  const startedAt = new Date().toISOString();
  const progress = new Progress(options);
  let foundPath = path;
  if (path === undefined) {
    const property = fc.asyncProperty(anySequence(steps), (sequence) => progress.holds(sequence));
    foundPath = (await fc.check(property, { seed, numRuns: runs })).counterexamplePath ?? undefined;
  } else for (const sequence of sequencesAt({ seed, steps, path })) await progress.holds(sequence);
  const { cases, shrinks, failing, cards, cleanupFault } = progress;
  const endedEarly = progress.endedEarly();
  return {
    kind: 'fuzz',
    suite,
    target: session.target.url,
    seed,
    startedAt,
    finishedAt: new Date().toISOString(),
    cases,
    shrinks,
    cards,
    recordsLeft: [],
    leftBecause: [],
    leftBefore: [...leftBefore],
    requests: session.gate.spent.requests,
    ...(cleanupFault === undefined ? {} : { cleanupFault }),
    ...(endedEarly ? { endedEarly } : {}),
    failures: failing ? [describeFailure(failing, `${again} --path ${foundPath ?? '0'}`, session)] : [],
  };
}

type Replay = Pick<FuzzOptions, 'seed' | 'steps'> & { readonly path: string };

/** The sequence at the path; none if it leads to no sequence. */
function sequencesAt({ seed, steps, path }: Replay): Step[][] {
  try {
    return fc.sample(anySequence(steps), { seed, path, numRuns: 1 });
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Unable to replay')) return [];
    throw error;
  }
}

/** Whether the path leads to a sequence. Sends nothing. */
export const leadsToSequence = (replay: Replay): boolean => sequencesAt(replay).length > 0;

function describeFailure({ requests, exchanges, failure }: SequenceResult, again: string, { redactor }: Session): FuzzFailure {
  const { clause, what = '' } = failure ?? {};
  const text = clause && clauseTexts.get(clause)?.text;
  return {
    ...(clause === undefined ? {} : { clause }),
    did: requests.map((line) => redactor.mask(line)),
    expected: text ?? 'an answer that the next step can use',
    got: redactor.mask(what),
    again,
    exchanges: [...exchanges],
  };
}

/** Runs sequences, and counts them and their cards. */
class Progress {
  cases = 0;
  shrinks = 0;
  /** The shortest failing sequence so far. */
  failing: SequenceResult | undefined;
  readonly cards: FuzzResult['cards'] = { created: 0, voided: 0, left: [] };
  cleanupFault: string | undefined;
  readonly #options: FuzzOptions;
  readonly #shared: Run['shared'] = new Map();
  #error: unknown;

  constructor(options: FuzzOptions) {
    this.#options = options;
  }

  /** Whether the sequence follows the specification. True without a request once the run is over. */
  async holds(sequence: readonly Step[]): Promise<boolean> {
    // An empty sequence finds out what all need, so that a repeated sequence names its cards alike.
    if (this.#shared.size === 0) await this.#run([]);
    if (this.#isOver()) return true;
    if (this.failing) this.shrinks += 1;
    else this.cases += 1;
    const result = await this.#run(sequence);
    if (result?.failure) this.failing = result;
    return !result?.failure;
  }

  async #run(sequence: readonly Step[]): Promise<SequenceResult | undefined> {
    try {
      const result = await runSequence(this.#options, this.#shared, sequence);
      this.cards.created += result.cards.created;
      this.cards.voided += result.cards.voided;
      this.cards.left.push(...result.cards.left);
      if (!this.#options.signal?.aborted) this.#error ??= result.error;
      this.cleanupFault ??= result.cleanupFault;
      return result;
    } catch (error) {
      // fast-check would report the error as a counterexample.
      this.#error ??= error;
      return undefined;
    }
  }

  #isOver(): boolean {
    const { signal, stopsAtLeft } = this.#options;
    const isBroken = this.#error !== undefined || this.cleanupFault !== undefined;
    return signal?.aborted || isBroken || this.shrinks >= maxShrinks || (stopsAtLeft && this.cards.left.length > 0);
  }

  endedEarly(): FuzzResult['endedEarly'] {
    const { signal, session } = this.#options;
    const error = this.#error;
    if (signal?.aborted) return { because: 'interrupted', detail: 'sequences that were not run show nothing' };
    if (error === undefined) return undefined;
    const because = error instanceof TransportError ? 'unreachable' : error instanceof Untested ? 'not-sent' : 'defect';
    const text = because === 'defect' && error instanceof Error ? error.stack : String((error as Error).message ?? error);
    return { because, detail: session.redactor.mask(text ?? '') };
  }
}
