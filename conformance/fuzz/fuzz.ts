import fc from 'fast-check';
import { clauseTexts } from '../core/contract.ts';
import type { FuzzFailure, FuzzResult } from '../core/result.ts';
import type { Session } from '../core/session.ts';
import { TransportError, Untested } from '../core/verdict.ts';
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
  /** Name and version of the suite. */
  readonly suite: string;
  /** The command that repeats the run; with a path it repeats one sequence. */
  readonly again: string;
  /** What earlier runs left: one sentence each. */
  readonly leftBefore: readonly string[];
}

/** Sequences that are tried at most to shorten a failing one. */
const maxShrinks = 200;

/** Runs random sequences until one contradicts the specification, then shortens that one. */
export async function fuzzSequences(options: FuzzOptions): Promise<FuzzResult> {
  const { session, seed, runs, steps, path, suite, again } = options;
  const startedAt = new Date().toISOString();
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
  const command = `${again} --path ${counterexamplePath ?? path ?? '0'}`;
  return {
    ...{ kind: 'fuzz', suite, target: session.target.url, seed, startedAt, finishedAt: new Date().toISOString() },
    ...progress.counts(),
    failures: progress.failing ? [failureOf(progress.failing, command, session.redactor)] : [],
    requests: session.gate.spent.requests,
    leftBefore: [...options.leftBefore],
  };
}

function failureOf({ requests, exchanges, failure }: SequenceResult, again: string, redactor: Session['redactor']): FuzzFailure {
  const { clause, expected, message } = failure ?? {};
  const text = clause && clauseTexts.get(clause)?.text;
  return {
    ...(clause === undefined ? {} : { clause }),
    did: requests.map((line) => redactor.mask(line)),
    expected: redactor.mask(expected ?? text ?? 'an answer that the next step can use'),
    got: redactor.mask(message ?? ''),
    again,
    exchanges: [...exchanges],
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
    const { sequences, endedEarly } = this;
    const cleanupFault = this.#cleanupFault;
    return {
      ...{ cases: sequences, shrinks: this.#shorter },
      cards: { created: this.#created, voided: this.#voided, left: this.#left },
      recordsLeft: [],
      ...(cleanupFault === undefined ? {} : { cleanupFault }),
      ...(endedEarly ? { endedEarly } : {}),
    };
  }

  get endedEarly(): FuzzResult['endedEarly'] {
    const { signal, session } = this.#options;
    const trouble = this.#trouble;
    if (signal?.aborted) return { because: 'interrupted', detail: 'sequences that were not run show nothing' };
    if (trouble === undefined) return undefined;
    const isOurs = !(trouble instanceof TransportError || trouble instanceof Untested);
    const because = trouble instanceof TransportError ? 'unreachable' : trouble instanceof Untested ? 'not-sent' : 'defect';
    const text = isOurs && trouble instanceof Error ? trouble.stack : String((trouble as Error).message ?? trouble);
    return { because, detail: session.redactor.mask(text ?? '') };
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
