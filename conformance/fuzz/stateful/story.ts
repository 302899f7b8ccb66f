import { decimalsOf } from '../../core/dialect.ts';
import type { Session } from '../../core/session.ts';
import { type Run, Trial } from '../../core/trial.ts';
import { Blocked, Untested } from '../../core/verdict.ts';
import { ended } from '../../safety/ending.ts';
import { Ledger } from '../../safety/ledger.ts';
import type { LedgerFolder } from '../../safety/ledger-folder.ts';
import { cardIdField } from '../../scenarios/adjustments.ts';
import { card as existingCard } from '../../scenarios/cards.ts';
import { lookAtAll } from './look.ts';
import type { Step } from './steps.ts';
import { take } from './take.ts';
import { Contradiction, Walker } from './walker.ts';

/** What all stories of a walk have in common: the way to the target, where they are written down, and who breaks them off. */
export interface Stage {
  readonly session: Session;
  readonly file: LedgerFolder | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What is found out once and holds for all stories. */
export interface Ground {
  readonly decimals: number;
  readonly canById: boolean;
  readonly shared: Run['shared'];
}

export interface Cards {
  readonly created: number;
  readonly gone: number;
  /** What they are called in the ledger. */
  readonly left: readonly string[];
}

export interface Ended<T> {
  /** What came of it, or what was thrown. */
  readonly value: T | undefined;
  readonly thrown: unknown;
  readonly cards: Cards;
  /** What went wrong when it cleaned up, which it did all the same. */
  readonly cleanupFault: string | undefined;
}

/** One story: the steps that were taken in words, and what contradicted the specification in the end, if anything did. */
export interface Story {
  readonly told: readonly string[];
  readonly contradiction: Contradiction | undefined;
}

/** Has a ledger of its own, and voids what it created whatever happens. Throws only where it could not begin, and nothing was sent. */
export async function alone<T>(stage: Stage, shared: Run['shared'], act: (t: Trial) => Promise<T>): Promise<Ended<T>> {
  const { session, file, signal } = stage;
  const { target, names, client } = session;
  const ledger = new Ledger(names, target.profile, target.key, file && ((run) => file.writerOf(run)));
  const wire = target.wire ?? [];
  const run: Run = {
    key: target.key,
    client,
    names,
    ledger,
    profile: target.profile,
    wire,
    seed: 0,
    receiver: undefined,
    shared,
  };
  const lock = await file?.begin(ledger.runId, target);
  const t = new Trial(run);
  const stop = () => t.end();
  signal?.addEventListener('abort', stop);
  let [value, thrown]: [T | undefined, unknown] = [undefined, undefined];
  let cleanupFault: string | undefined;
  try {
    value = await act(t);
  } catch (error) {
    thrown = error;
  } finally {
    t.end();
    signal?.removeEventListener('abort', stop);
    cleanupFault = await ended(run, lock);
    // Of hundreds of stories only the last is told.
    client.exchanges.splice(0);
  }
  const { entries } = ledger;
  const cards = {
    created: entries.filter(({ state }) => state !== 'refused').length,
    gone: entries.filter(({ state }) => state === 'gone').length,
    left: entries.filter(({ state }) => state === 'left').map(({ name }) => name),
  };
  return { value, thrown, cards, cleanupFault };
}

/** Looks how fine the account's amounts are and which body field names a card by its ID. Where no card can be created, the first story says so. */
export async function groundOf(stage: Stage): Promise<Ended<Ground>> {
  const shared: Run['shared'] = new Map();
  return alone(stage, shared, async (t) => {
    try {
      const { answer } = await existingCard(t);
      const { currency } = answer.json as { currency?: unknown };
      const decimals = decimalsOf(currency) + Math.log10(t.run.client.dialectOf().scale);
      const canById = await cardIdField(t).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Untested && error.reason === 'fact-missing') return false;
          throw error;
        },
      );
      return { decimals, canById, shared };
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      return { decimals: 2, canById: false, shared };
    }
  });
}

export async function storyOf(stage: Stage, ground: Ground, steps: readonly Step[]): Promise<Ended<Story>> {
  return alone(stage, new Map(ground.shared), async (t) => {
    const walker = new Walker(t, ground);
    try {
      for (const step of steps) await take(walker, step);
      await lookAtAll(walker);
      return { told: walker.told, contradiction: undefined };
    } catch (error) {
      if (!(error instanceof Contradiction)) throw error;
      return { told: walker.told, contradiction: error };
    }
  });
}
