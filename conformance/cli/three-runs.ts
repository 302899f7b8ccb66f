import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Ran } from '../compare/normalized.ts';
import { openSession, type Session } from '../core/session.ts';
import type { Profile } from '../core/target.ts';
import { realTime } from '../http/rate.ts';
import { toldWaiting } from './asking.ts';
import { judged } from './judging.ts';
import { tellLeft } from './left-told.ts';
import { noProgress, type Progress, progress } from './progress.ts';
import type { SideAsked } from './sides.ts';

/** A side with the way to it open. */
export interface OpenSide extends SideAsked {
  readonly session: Session;
  /** What both targets offer, as this one does. */
  readonly offered: Profile;
  readonly leftBefore: readonly string[];
}

/** What all runs have in common. */
interface Running {
  readonly names: readonly ClauseName[];
  readonly twice: boolean;
  readonly seed: number | undefined;
  readonly signal: AbortSignal;
  readonly quiet: boolean;
}

export interface ThreeRuns {
  readonly a: Ran;
  readonly b: Ran;
  /** A once more; none where it was not to be, or somebody broke it off. */
  readonly again?: Ran;
}

/** Runs the plan on both at the same time, and on A once more. On one and the same server one after another, since they would be in each other's way. */
export async function threeRuns(a: OpenSide, b: OpenSide, running: Running): Promise<ThreeRuns> {
  const isOne = new URL(a.target.url).origin === new URL(b.target.url).origin;
  const shown = progressOf(running, a);
  const first = () => oneRun(a, running, shown('A'));
  const second = () => oneRun(b, running, shown('B'));
  const [ranA, ranB] = isOne ? [await first(), await second()] : await together(first(), second());
  if (!running.twice || running.signal.aborted) return { a: ranA, b: ranB };
  const session = openSession(a.target, toldWaiting(waitsOf(a).waits), undefined, a.session);
  try {
    const again = await oneRun({ ...a, session, leftBefore: [] }, running, shown('A'));
    return { a: ranA, b: ranB, ...(running.signal.aborted ? {} : { again }) };
  } finally {
    await session.client.close();
  }
}

/** Tells pauses of one target. */
export const waitsOf = ({ asked }: SideAsked): Progress => progress([], asked.io.stderr, realTime.now);

async function oneRun(side: OpenSide, { names, seed, signal }: Running, shown: Progress): Promise<Ran> {
  const { asked, session, offered, file, leftBefore } = side;
  const result = await judged(
    asked,
    { ...session, target: { ...session.target, profile: offered } },
    { names, able: names, file, signal, leftBefore, ...(seed === undefined ? {} : { seed }), onResult: shown.judged },
  ).finally(shown.end);
  await tellLeft(asked, file, session.target, result);
  return { result, headersOf: (exchange) => session.client.headers.get(exchange) ?? {}, mark: session.names.mark };
}

/** Waits for both, whatever becomes of one, so that both have cleaned up. */
export async function together<T>(one: Promise<T>, other: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}

/** On a terminal one bar for all runs; elsewhere each tells its own. */
function progressOf({ quiet, names, twice }: Running, { screen }: OpenSide): (letter: string) => Progress {
  if (quiet) return () => noProgress;
  if (!screen.isTTY)
    return (letter) => progress(names, { write: (text: string) => screen.write(`${letter}: ${text}`) }, realTime.now);
  const all = progress([...names, ...names, ...(twice ? names : [])], screen, realTime.now);
  return () => all;
}
