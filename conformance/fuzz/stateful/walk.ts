import fc from 'fast-check';
import type { ClauseName } from '../../../openapi/generated/clauses.ts';
import type { Violation } from '../../core/verdict.ts';
import { anySteps } from './any-steps.ts';
import { type Ended, groundOf, type Stage, type Story, storyOf } from './story.ts';

export interface WalkOptions extends Stage {
  readonly seed: number;
  /** Stories. */
  readonly runs: number;
  /** Steps of the longest story. */
  readonly steps: number;
  /** Of one story, as an earlier walk with the same seed and steps gave it: only that one is told, as it is. */
  readonly path: string | undefined;
  /** Whether no further story begins once a card is left. */
  readonly stopsAtLeft: boolean;
}

/** A contradiction with the shortest story that shows it. */
export interface FoundStory {
  readonly steps: readonly string[];
  readonly expected: string;
  readonly got: string;
  /** The clause that is contradicted, where one says it. */
  readonly clause: ClauseName | undefined;
  /** With the seed and the steps, this story once more. */
  readonly path: string;
}

export interface Walked {
  /** Until one contradicted the specification, if one did. */
  readonly stories: number;
  /** Shorter ones that were tried after that one. */
  readonly shorter: number;
  readonly found: FoundStory | undefined;
  /** Why the walk ended early: no answer, or a request that the policy or the rate did not let through. */
  readonly trouble: unknown;
  /** What went wrong when a story cleaned up, with which the walk ended early, too. */
  readonly cleanupFault: string | undefined;
  /** Ended early from outside. */
  readonly interrupted: boolean;
  readonly requests: number;
  readonly created: number;
  readonly voided: number;
  readonly left: readonly string[];
}

/** Stories that are told at most to find a shorter one. */
const mostTries = 200;

/** Tells stories from a seed until one contradicts the specification, and then shorter ones. */
export async function walk(options: WalkOptions): Promise<Walked> {
  const { session, seed, runs, steps, path, signal } = options;
  const count = { stories: 0, shorter: 0, created: 0, voided: 0, left: [] as string[] };
  let trouble: unknown;
  let fault: string | undefined;
  let last: Story | undefined;
  const add = <T>({ cards, thrown, cleanupFault }: Ended<T>) => {
    count.created += cards.created;
    count.voided += cards.gone;
    count.left.push(...cards.left);
    if (!signal?.aborted) trouble ??= thrown;
    fault ??= cleanupFault;
  };
  const ground = await groundOf(options);
  add(ground);
  const isOver = () =>
    signal?.aborted ||
    trouble !== undefined ||
    fault !== undefined ||
    count.shorter >= mostTries ||
    (options.stopsAtLeft && count.left.length > 0);

  const holds = async (row: Parameters<typeof storyOf>[2]) => {
    // Of a path, what stands beside its end is not asked for.
    if (isOver() || !ground.value || (path !== undefined && count.stories > 0)) return true;
    if (last) count.shorter += 1;
    else count.stories += 1;
    // What is thrown here nobody would hear of.
    const told = await storyOf(options, ground.value, row).catch((error: unknown) => {
      trouble ??= error;
    });
    if (told) add(told);
    if (!told?.value?.contradiction) return true;
    last = told.value;
    return false;
  };
  const once = path === undefined ? { numRuns: runs } : { numRuns: 1, path, endOnFailure: true };
  const { counterexamplePath } = await told(fc.asyncProperty(anySteps(steps), holds), { seed, ...once });
  return {
    ...count,
    trouble,
    cleanupFault: fault,
    interrupted: signal?.aborted ?? false,
    requests: session.gate.spent.requests,
    found: last?.contradiction && foundIn(last, last.contradiction, counterexamplePath ?? path ?? '0', options),
  };
}

/** What fast-check refuses is a path on which no story stands. */
async function told<T>(
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

function foundIn(
  { told, contradiction }: Story,
  { expected, got }: Violation,
  path: string,
  { session: { names } }: WalkOptions,
): FoundStory {
  const mask = (text: string) => names.mask(text);
  return { steps: told.map(mask), expected: mask(expected), got: mask(got), clause: contradiction?.clause, path };
}
