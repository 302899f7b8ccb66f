import fc from 'fast-check';
import { suite } from '../core/text.ts';
import { Blocked } from '../core/verdict.ts';
import { TransportError } from '../http/exchange.ts';
import { Untested } from '../safety/policy.ts';
import type { FuzzResult } from './result.ts';
import { type SequenceOptions, SequenceRunner } from './sequence.ts';
import { anySequence, type FuzzStep } from './steps.ts';

export interface FuzzOptions extends SequenceOptions {
  readonly seed: number;
  readonly runs: number;
  readonly steps: number;
  /** If defined, the run sends only the sequence at this path. An earlier run with the same seed and steps printed the path. */
  readonly path: string | undefined;
  /** The command that repeats the run. With --path, the command repeats one sequence. */
  readonly again: string;
  readonly leftBefore: readonly string[];
}

/** Runs random sequences until a sequence contradicts the specification. Then shortens this sequence. */
export async function fuzzSequences(options: FuzzOptions): Promise<FuzzResult> {
  const { session, seed, runs, steps, path, again, leftBefore } = options;
  const startedAt = new Date().toISOString();
  const runner = new SequenceRunner(options);
  let foundPath = path;
  if (path === undefined) {
    const property = fc.asyncProperty(anySequence(steps), (sequence) => runner.holds(sequence));
    foundPath = (await fc.check(property, { seed, numRuns: runs })).counterexamplePath ?? undefined;
  } else for (const sequence of sequencesAt({ seed, steps, path })) await runner.holds(sequence);
  const { cases, shrinks, cards, cleanupFault, failure } = runner;
  const endedEarly = earlyEnd(options, runner.error);
  const { leaveCards } = session.gate.policy;
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
    ...(leaveCards === undefined ? {} : { leaveCards }),
    requests: session.gate.sent,
    ...(cleanupFault === undefined ? {} : { cleanupFault }),
    ...(endedEarly ? { endedEarly } : {}),
    failures: failure ? [{ ...failure, again: `${again} --path ${foundPath ?? '0'}` }] : [],
  };
}

/** Returns a list with the sequence at the path. The list is empty if the path leads to no sequence. */
export function sequencesAt({ seed, steps, path }: { seed: number; steps: number; path: string }): FuzzStep[][] {
  try {
    return fc.sample(anySequence(steps), { seed, path, numRuns: 1 });
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Unable to replay')) return [];
    throw error;
  }
}

/** Reports whether the target's responses, or the limits of the run, prevented a step. A refusal of a valid request does not violate the specification by itself. */
const isUnusable = (error: unknown) => error instanceof Untested || error instanceof Blocked;

function earlyEnd({ signal, session: { client, redactor } }: FuzzOptions, error: unknown): FuzzResult['endedEarly'] {
  if (signal?.aborted) return { because: 'interrupted', detail: 'the other sequences were not run' };
  if (client.lostSince !== undefined)
    return { because: 'unreachable', detail: `the target has not responded since ${client.lostSince}` };
  if (error === undefined) return undefined;
  const because = error instanceof TransportError ? 'unreachable' : isUnusable(error) ? 'not-sent' : 'defect';
  const text = because === 'defect' && error instanceof Error ? error.stack : String((error as Error).message ?? error);
  return { because, detail: redactor.mask(text ?? '') };
}
