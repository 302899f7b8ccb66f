import fc from 'fast-check';
import { clauseTexts } from '../core/contract.ts';
import type { FuzzFailure, FuzzResult } from '../core/result.ts';
import type { Session } from '../core/session.ts';
import { TransportError, Untested } from '../core/verdict.ts';
import { accountTraits, type Outcome, runSequence, type SequenceContext, type SequenceResult } from './sequence.ts';
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
  const traits = await accountTraits(options);
  progress.add(traits);

  const holds = async (sequence: readonly Step[]): Promise<boolean> => {
    // With a path, fast-check also offers shorter sequences; only the one at the path is run.
    if (progress.isOver() || !traits.value || (path !== undefined && progress.sequences > 0)) return true;
    progress.begin();
    const outcome = await runSequence(options, traits.value, sequence).catch((error: unknown) => progress.fail(error));
    if (outcome) progress.add(outcome);
    if (!outcome?.value?.failure) return true;
    progress.failing = outcome.value;
    return false;
  };
  const parameters = path === undefined ? { numRuns: runs } : { numRuns: 1, path, endOnFailure: true };
  const foundPath = await failingPath(fc.asyncProperty(anySequence(steps), holds), { seed, ...parameters });
  const { sequences: cases, shrinks, failing, cards, cleanupFault } = progress;
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
    leftBefore: [...leftBefore],
    requests: session.gate.spent.requests,
    ...(cleanupFault === undefined ? {} : { cleanupFault }),
    ...(endedEarly ? { endedEarly } : {}),
    failures: failing ? [describeFailure(failing, `${again} --path ${foundPath ?? path ?? '0'}`, session)] : [],
  };
}

/** Whether the path leads to a sequence. Sends nothing. */
export function leadsToSequence({ seed, steps, path }: Pick<FuzzOptions, 'seed' | 'steps'> & { readonly path: string }): boolean {
  try {
    return fc.sample(anySequence(steps), { seed, path, numRuns: 1 }).length > 0;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Unable to replay')) return false;
    throw error;
  }
}

function describeFailure({ requests, exchanges, failure }: SequenceResult, again: string, { redactor }: Session): FuzzFailure {
  const { clause, expected, got = '' } = failure ?? {};
  const text = clause && clauseTexts.get(clause)?.text;
  return {
    ...(clause === undefined ? {} : { clause }),
    did: requests.map((line) => redactor.mask(line)),
    expected: redactor.mask(expected ?? text ?? ''),
    got: redactor.mask(got),
    again,
    exchanges: [...exchanges],
  };
}

/** Counts sequences and cards, and decides when the run is over. */
class Progress {
  sequences = 0;
  shrinks = 0;
  /** The shortest failing sequence so far. */
  failing: SequenceResult | undefined;
  readonly cards: FuzzResult['cards'] = { created: 0, voided: 0, left: [] };
  cleanupFault: string | undefined;
  readonly #options: FuzzOptions;
  #error: unknown;

  constructor(options: FuzzOptions) {
    this.#options = options;
  }

  begin(): void {
    if (this.failing) this.shrinks += 1;
    else this.sequences += 1;
  }

  add({ cards, thrown, cleanupFault }: Outcome<unknown>): void {
    this.cards.created += cards.created;
    this.cards.voided += cards.voided;
    this.cards.left.push(...cards.left);
    if (!this.#options.signal?.aborted) this.#error ??= thrown;
    this.cleanupFault ??= cleanupFault;
  }

  /** fast-check would report the error as a counterexample. */
  fail(error: unknown): undefined {
    this.#error ??= error;
  }

  isOver(): boolean {
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

/** The path of the failing sequence. Undefined if none failed. Also undefined if `path` leads to no sequence: fast-check throws for that. */
async function failingPath(
  property: fc.IAsyncProperty<[readonly Step[]]>,
  parameters: fc.Parameters<[readonly Step[]]>,
): Promise<string | undefined> {
  try {
    return (await fc.check(property, parameters)).counterexamplePath ?? undefined;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Unable to replay')) return undefined;
    throw error;
  }
}
