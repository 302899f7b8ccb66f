import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseTexts } from '../core/contract.ts';
import type { ClauseResult } from '../core/result.ts';
import { formatCount } from '../core/text.ts';
import { realTime, type Waiting, type WaitsFor } from '../http/rate.ts';
import { headingOf } from '../report/sections.ts';

/** Where progress is shown. On a terminal, lines can be overwritten. */
export interface Screen {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export interface Progress {
  finished(result: ClauseResult): void;
  /** The run sends nothing for this time, in milliseconds. */
  waits(ms: number, why: WaitsFor): void;
  /** Removes what is shown only during the run. */
  end(): void;
}

export const noProgress: Progress = { finished: () => undefined, waits: () => undefined, end: () => undefined };

/** Real time whose pauses are shown. */
export const waitingOn = ({ waits }: Pick<Progress, 'waits'>): Waiting => ({
  now: realTime.now,
  sleep: (ms, why) => {
    waits(ms, why);
    return realTime.sleep(ms, why);
  },
});

/** A bar on a terminal; elsewhere one line per finished section of the specification. */
export function progress(names: readonly ClauseName[], screen: Screen, now = realTime.now): Progress {
  return screen.isTTY ? progressBar(names.length, screen, now) : progressLines(names, screen);
}

/** Shorter pauses are not shown. */
const shownPause = 4_000;
const seconds = (ms: number) => Math.ceil(ms / 1_000);

function progressBar(all: number, screen: Screen, now: () => number): Progress {
  const start = now();
  let [done, failed] = [0, 0];
  const show = (more: string) => {
    const full = Math.round((barWidth * done) / Math.max(all, 1));
    const parts = [
      `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${done} of ${all}`,
      failed > 0 ? `${failed} fail` : '',
      more,
    ];
    screen.write(
      `\r\x1b[2K${parts
        .filter(Boolean)
        .join(' · ')
        .slice(0, (screen.columns ?? 80) - 1)}`,
    );
  };
  const timeLeft = () => {
    const ms = ((now() - start) / done) * (all - done);
    return done < 5 ? '' : `about ${ms < 90_000 ? `${seconds(ms)} s` : `${Math.round(ms / 60_000)} min`} left`;
  };
  return {
    finished({ verdict }) {
      done += 1;
      if (verdict === 'fail') failed += 1;
      show(timeLeft());
    },
    waits: (ms, why) => void (ms >= shownPause && show(`${why === 'limit' ? 'rate limit' : 'waits'}: ${seconds(ms)} s`)),
    end: () => void screen.write('\r\x1b[2K'),
  };
}

const barWidth = 24;

function progressLines(names: readonly ClauseName[], screen: Screen): Progress {
  const sections = new Map<string, { left: number; counts: Map<string, number> }>();
  for (const name of names) {
    const section = sections.get(headingOfName(name)) ?? { left: 0, counts: new Map() };
    section.left += 1;
    sections.set(headingOfName(name), section);
  }
  let done = 0;
  return {
    finished({ name, verdict }) {
      done += 1;
      const section = sections.get(headingOfName(name));
      if (!section) return;
      section.left -= 1;
      section.counts.set(verdict, (section.counts.get(verdict) ?? 0) + 1);
      if (section.left > 0) return;
      const counts = [...section.counts].map(([each, number]) => `${number} ${each}`);
      screen.write(`${headingOfName(name)}: ${counts.join(', ')} (${done} of ${formatCount(names.length, 'clause')})\n`);
    },
    waits: (ms, why) => void (ms >= shownPause && screen.write(`${reasons[why]}; continuing in ${seconds(ms)} s.\n`)),
    end: () => undefined,
  };
}

const reasons: Readonly<Record<WaitsFor, string>> = {
  limit: 'The rate limit of the target is reached',
  'own-rate': 'The rate of --rate is reached',
  rest: 'Time has to pass at the target',
};

const headingOfName = (name: ClauseName) => headingOf({ from: clauseTexts.get(name)?.from ?? [] });
