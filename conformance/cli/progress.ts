import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseTexts } from '../core/contract.ts';
import { counted } from '../core/counted.ts';
import type { ClauseResult } from '../core/result.ts';
import type { WaitsFor } from '../http/rate.ts';
import { headingOf } from '../report/sections.ts';

/** Where progress is shown, and whether lines can be written over there. */
export interface Screen {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export interface Progress {
  /** A clause has its verdict. */
  judged(result: ClauseResult): void;
  /** The run sends nothing for so many milliseconds. */
  waits(ms: number, why: WaitsFor): void;
  /** Takes away what is only there while the run lasts. */
  end(): void;
}

export const noProgress: Progress = { judged: () => undefined, waits: () => undefined, end: () => undefined };

/** Tells how far a run is: on a terminal a bar in one line, elsewhere a line for each section of the specification that is through. */
export function progress(names: readonly ClauseName[], screen: Screen, now: () => number): Progress {
  const start = now();
  const sections = new Map<string, { left: number; counts: Map<string, number> }>();
  for (const name of names) {
    const section = sections.get(headingOfName(name)) ?? { left: 0, counts: new Map() };
    section.left += 1;
    sections.set(headingOfName(name), section);
  }
  let done = 0;
  /** What is left would take as long as what is through, clause by clause. Too little is through at first to say. */
  const timeLeft = () => (done < 5 ? '' : `about ${duration(((now() - start) / done) * (names.length - done))} left`);

  if (screen.isTTY) {
    let failed = 0;
    const show = (more: string) =>
      screen.write(`\r\x1b[2K${line(done, names.length, failed, more).slice(0, (screen.columns ?? 80) - 1)}`);
    return {
      judged({ verdict }) {
        done += 1;
        if (verdict === 'fail') failed += 1;
        show(timeLeft());
      },
      waits: (ms, why) => void (ms >= tellingWait && show(`${why === 'limit' ? 'rate limit' : 'waits'}: on in ${seconds(ms)} s`)),
      end: () => void screen.write('\r\x1b[2K'),
    };
  }
  return {
    judged({ name, verdict }) {
      done += 1;
      const section = sections.get(headingOfName(name));
      if (!section) return;
      section.left -= 1;
      section.counts.set(verdict, (section.counts.get(verdict) ?? 0) + 1);
      if (section.left > 0) return;
      const counts = [...section.counts].map(([each, number]) => `${number} ${each}`);
      screen.write(`${headingOfName(name)}: ${counts.join(', ')} (${done} of ${counted(names.length, 'clause')})\n`);
    },
    waits(ms, why) {
      if (ms >= tellingWait) screen.write(`${whyWaiting[why]}; going on in ${seconds(ms)} s.\n`);
    },
    end: () => undefined,
  };
}

const whyWaiting: Readonly<Record<WaitsFor, string>> = {
  limit: 'The target’s rate limit is reached',
  'own-rate': 'As many requests have left as the run sends in a minute (--rate)',
  rest: 'Time has to pass at the target',
};

/** Nobody wonders about a pause that is shorter. */
const tellingWait = 4_000;
const seconds = (ms: number) => Math.ceil(ms / 1_000);

const headingOfName = (name: ClauseName) => headingOf({ from: clauseTexts.get(name)?.from ?? [] });

const barWidth = 24;

function line(done: number, all: number, failed: number, more: string): string {
  const full = Math.round((barWidth * done) / Math.max(all, 1));
  const parts = [
    `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${done} of ${all}`,
    ...(failed > 0 ? [`${failed} fail`] : []),
    more,
  ];
  return parts.filter(Boolean).join(' · ');
}

function duration(ms: number): string {
  return ms < 90_000 ? `${seconds(ms)} s` : `${Math.round(ms / 60_000)} min`;
}
