import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseTexts } from '../core/contract.ts';
import type { ClauseResult } from '../core/result.ts';
import { formatCount } from '../core/text.ts';
import { realTime, type WaitsFor } from '../http/rate.ts';
import { headingOf } from '../report/sections.ts';

/** Where progress is printed. On a terminal, a line can be overwritten. */
export interface Screen {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** For --quiet. */
export const noScreen: Screen = { write: () => undefined };

/** Shorter pauses are not printed. */
const shortestPause = 4_000;
const barWidth = 24;
const clearLine = '\r\x1b[2K';

/** Prints a bar on a terminal; elsewhere one line per finished section of the specification. */
export class Progress {
  readonly #screen: Screen;
  readonly #now: () => number;
  #start = 0;
  #names: readonly ClauseName[] = [];
  readonly #verdicts = new Map<ClauseName, string>();

  constructor(screen: Screen, now = realTime.now) {
    this.#screen = screen;
    this.#now = now;
  }

  begin(names: readonly ClauseName[]): void {
    this.#start = this.#now();
    this.#names = names;
  }

  finished({ name, verdict }: Pick<ClauseResult, 'name' | 'verdict'>): void {
    this.#verdicts.set(name, verdict);
    if (this.#screen.isTTY) this.#printBar(this.#timeLeft());
    else this.#printSection(sectionOf(name));
  }

  /** The run sends nothing for this time, in milliseconds. */
  waits(ms: number, why: WaitsFor): void {
    if (ms < shortestPause) return;
    if (this.#screen.isTTY) this.#printBar(`${why === 'limit' ? 'rate limit' : 'waits'}: ${seconds(ms)} s`);
    else this.#screen.write(`${pauses[why]}; continuing in ${seconds(ms)} s.\n`);
  }

  /** Removes the bar. */
  end(): void {
    if (this.#screen.isTTY) this.#screen.write(clearLine);
  }

  #printBar(more: string): void {
    const [done, all] = [this.#verdicts.size, this.#names.length];
    const full = Math.round((barWidth * done) / Math.max(all, 1));
    const failed = [...this.#verdicts.values()].filter((verdict) => verdict === 'fail').length;
    const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${done} of ${all}`;
    const line = [bar, failed > 0 ? `${failed} fail` : '', more].filter(Boolean).join(' · ');
    this.#screen.write(clearLine + line.slice(0, (this.#screen.columns ?? 80) - 1));
  }

  #timeLeft(): string {
    const done = this.#verdicts.size;
    const ms = ((this.#now() - this.#start) / done) * (this.#names.length - done);
    return done < 5 ? '' : `about ${ms < 90_000 ? `${seconds(ms)} s` : `${Math.round(ms / 60_000)} min`} left`;
  }

  #printSection(section: string): void {
    const verdicts = this.#names.filter((name) => sectionOf(name) === section).map((name) => this.#verdicts.get(name));
    if (verdicts.includes(undefined)) return;
    const counts = [...new Set(verdicts)].map((each) => `${verdicts.filter((other) => other === each).length} ${each}`);
    const done = `${this.#verdicts.size} of ${formatCount(this.#names.length, 'clause')}`;
    this.#screen.write(`${section}: ${counts.join(', ')} (${done})\n`);
  }
}

const pauses: Readonly<Record<WaitsFor, string>> = {
  limit: 'The rate limit of the target is reached',
  'own-rate': 'The rate of --rate is reached',
  rest: 'Time has to pass at the target',
};

const seconds = (ms: number) => Math.ceil(ms / 1_000);
const sectionOf = (name: ClauseName) => headingOf({ from: clauseTexts.get(name)?.from ?? [] });
