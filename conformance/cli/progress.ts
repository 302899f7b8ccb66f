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

export interface Progress {
  begin(names: readonly ClauseName[]): void;
  finished(result: Pick<ClauseResult, 'name' | 'verdict'>): void;
  /** The run sends nothing for this time, in milliseconds. */
  waits(ms: number, why: WaitsFor): void;
  /** Removes what is printed only during the run. */
  end(): void;
}

const nothing = () => {};
export const noProgress: Progress = { begin: nothing, finished: nothing, waits: nothing, end: nothing };

/** A bar on a terminal; elsewhere one line per finished section of the specification. */
export const progressOn = (screen: Screen, now = realTime.now): Progress =>
  screen.isTTY ? new ProgressBar(screen, now) : new ProgressLines(screen);

/** Shorter pauses are not printed. */
const shortestPause = 4_000;
const seconds = (ms: number) => Math.ceil(ms / 1_000);

class ProgressBar implements Progress {
  readonly #screen: Screen;
  readonly #now: () => number;
  #start = 0;
  #all = 0;
  #done = 0;
  #failed = 0;

  constructor(screen: Screen, now: () => number) {
    this.#screen = screen;
    this.#now = now;
  }

  begin(names: readonly ClauseName[]): void {
    this.#start = this.#now();
    this.#all = names.length;
  }

  finished({ verdict }: Pick<ClauseResult, 'verdict'>): void {
    this.#done += 1;
    if (verdict === 'fail') this.#failed += 1;
    const ms = ((this.#now() - this.#start) / this.#done) * (this.#all - this.#done);
    this.#print(this.#done < 5 ? '' : `about ${ms < 90_000 ? `${seconds(ms)} s` : `${Math.round(ms / 60_000)} min`} left`);
  }

  waits(ms: number, why: WaitsFor): void {
    if (ms >= shortestPause) this.#print(`${why === 'limit' ? 'rate limit' : 'waits'}: ${seconds(ms)} s`);
  }

  end(): void {
    this.#screen.write('\r\x1b[2K');
  }

  #print(more: string): void {
    const full = Math.round((barWidth * this.#done) / Math.max(this.#all, 1));
    const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${this.#done} of ${this.#all}`;
    const parts = [bar, this.#failed > 0 ? `${this.#failed} fail` : '', more].filter(Boolean);
    this.#screen.write(`\r\x1b[2K${parts.join(' · ').slice(0, (this.#screen.columns ?? 80) - 1)}`);
  }
}

const barWidth = 24;

class ProgressLines implements Progress {
  readonly #screen: Screen;
  #names: readonly ClauseName[] = [];
  readonly #verdicts = new Map<ClauseName, string>();

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  begin(names: readonly ClauseName[]): void {
    this.#names = names;
  }

  finished({ name, verdict }: Pick<ClauseResult, 'name' | 'verdict'>): void {
    this.#verdicts.set(name, verdict);
    const section = sectionOf(name);
    const verdicts = this.#names.filter((each) => sectionOf(each) === section).map((each) => this.#verdicts.get(each));
    if (verdicts.includes(undefined)) return;
    const counts = [...new Set(verdicts)].map((each) => `${verdicts.filter((other) => other === each).length} ${each}`);
    const done = `${this.#verdicts.size} of ${formatCount(this.#names.length, 'clause')}`;
    this.#screen.write(`${section}: ${counts.join(', ')} (${done})\n`);
  }

  waits(ms: number, why: WaitsFor): void {
    if (ms >= shortestPause) this.#screen.write(`${pauses[why]}; continuing in ${seconds(ms)} s.\n`);
  }

  end(): void {}
}

const pauses: Readonly<Record<WaitsFor, string>> = {
  limit: 'The rate limit of the target is reached',
  'own-rate': 'The rate of --rate is reached',
  rest: 'Time has to pass at the target',
};

const sectionOf = (name: ClauseName) => headingOf({ from: clauseTexts.get(name)?.from ?? [] });
