import fc from 'fast-check';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { accountTraits, type Outcome, runSequence, type SequenceContext, type SequenceResult } from './sequence.ts';
import { anySequence, type Step } from './steps.ts';

export interface FuzzOptions extends SequenceContext {
  readonly seed: number;
  /** How many sequences are run at most. */
  readonly runs: number;
  /** Steps of the longest sequence. */
  readonly steps: number;
  /** Runs only the sequence that an earlier run with the same seed and steps printed. */
  readonly path: string | undefined;
  /** Whether the run ends when a card could not be voided. */
  readonly stopsAtLeft: boolean;
}

/** The shortest sequence that contradicts the specification. */
export interface FailingSequence {
  readonly requests: readonly string[];
  /** The contradiction in words. */
  readonly what: string;
  readonly clause: ClauseName | undefined;
  /** Repeats this sequence, with the same seed and steps. */
  readonly path: string;
}

export interface FuzzResult {
  readonly sequences: number;
  /** Shorter sequences that were tried after the first failing one. */
  readonly shorter: number;
  readonly failing: FailingSequence | undefined;
  /** Why the run ended early: no answer, or a request that the policy or the rate limit did not allow. */
  readonly trouble: unknown;
  /** Set if a cleanup itself failed; the run ended there. */
  readonly cleanupFault: string | undefined;
  readonly interrupted: boolean;
  readonly requests: number;
  readonly created: number;
  readonly voided: number;
  /** Names of the cards that could not be voided. */
  readonly left: readonly string[];
}

/** Sequences that are tried at most to shorten a failing one. */
const maxShrinks = 200;

/** Runs random sequences until one contradicts the specification, then shortens that one. */
export async function fuzzSequences(options: FuzzOptions): Promise<FuzzResult> {
  const { session, seed, runs, steps, path, signal } = options;
  const progress = new Progress(options);
  const traits = await accountTraits(options);
  progress.add(traits);

  const holds = async (sequence: readonly Step[]): Promise<boolean> => {
    // With a path, fast-check also offers shorter sequences; only the one at the path is run.
    if (progress.isOver() || !traits.value || (path !== undefined && progress.sequences > 0)) return true;
    progress.begin();
    const outcome = await runSequence(options, traits.value, sequence).catch((error: unknown) => progress.fail(error));
    return outcome ? progress.addSequence(outcome) : true;
  };
  const parameters = path === undefined ? { numRuns: runs } : { numRuns: 1, path, endOnFailure: true };
  const { counterexamplePath } = await checked(fc.asyncProperty(anySequence(steps), holds), { seed, ...parameters });
  const { names } = session;
  return {
    ...progress.counts(),
    interrupted: signal?.aborted ?? false,
    requests: session.gate.spent.requests,
    failing: progress.failing && {
      requests: progress.failing.requests.map((line) => names.mask(line)),
      what: names.mask(progress.failing.failure?.message ?? ''),
      clause: progress.failing.failure?.clause,
      path: counterexamplePath ?? path ?? '0',
    },
  };
}

/** Counts sequences and cards, and knows when to stop. */
class Progress {
  sequences = 0;
  failing: SequenceResult | undefined;
  readonly #options: FuzzOptions;
  #shorter = 0;
  #created = 0;
  #voided = 0;
  readonly #left: string[] = [];
  #trouble: unknown;
  #cleanupFault: string | undefined;

  constructor(options: FuzzOptions) {
    this.#options = options;
  }

  begin(): void {
    if (this.failing) this.#shorter += 1;
    else this.sequences += 1;
  }

  add({ cards, thrown, cleanupFault }: Outcome<unknown>): void {
    this.#created += cards.created;
    this.#voided += cards.voided;
    this.#left.push(...cards.left);
    if (!this.#options.signal?.aborted) this.#trouble ??= thrown;
    this.#cleanupFault ??= cleanupFault;
  }

  /** Returns whether the sequence holds. */
  addSequence(outcome: Outcome<SequenceResult>): boolean {
    this.add(outcome);
    if (!outcome.value?.failure) return true;
    this.failing = outcome.value;
    return false;
  }

  /** fast-check would take the error for a counterexample. */
  fail(error: unknown): undefined {
    this.#trouble ??= error;
  }

  isOver(): boolean {
    const { signal, stopsAtLeft } = this.#options;
    const isBroken = this.#trouble !== undefined || this.#cleanupFault !== undefined;
    return signal?.aborted || isBroken || this.#shorter >= maxShrinks || (stopsAtLeft && this.#left.length > 0);
  }

  counts() {
    const { sequences } = this;
    const [shorter, created, voided, left] = [this.#shorter, this.#created, this.#voided, this.#left];
    return { sequences, shorter, created, voided, left, trouble: this.#trouble, cleanupFault: this.#cleanupFault };
  }
}

/** fast-check throws for a path that leads to no sequence. */
async function checked<T>(
  property: fc.IAsyncProperty<T>,
  parameters: fc.Parameters<T>,
): Promise<{ counterexamplePath: string | null }> {
  try {
    return await fc.check(property, parameters);
  } catch (error) {
    if (parameters.path !== undefined && error instanceof Error && error.message.startsWith('Unable to replay'))
      return { counterexamplePath: null };
    throw error;
  }
}
