import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseTexts } from '../core/contract.ts';
import type { ClauseResult } from '../core/result.ts';
import { formatCount } from '../core/text.ts';
import { realTime, type WaitsFor } from '../http/rate.ts';
import { headingOf } from '../report/sections.ts';
import type { Screen } from './context.ts';

/** Shorter pauses are not printed. */
const shortestPause = 4_000;
const barWidth = 24;
const clearLine = '\r\x1b[2K';

const pauses: Readonly<Record<WaitsFor, string>> = {
  limit: 'rate limit of the target',
  'own-rate': 'rate of --rate',
  rest: 'time has to pass at the target',
};

/** Prints a bar on a terminal; elsewhere one line per finished section of the specification. */
export class Progress {
  readonly #screen: Screen;
  readonly #start = realTime.now();
  readonly #names: readonly ClauseName[];
  readonly #verdicts = new Map<ClauseName, string>();

  constructor(screen: Screen, names: readonly ClauseName[]) {
    this.#screen = screen;
    this.#names = names;
  }

  finished({ name, verdict }: Pick<ClauseResult, 'name' | 'verdict'>): void {
    this.#verdicts.set(name, verdict);
    if (this.#screen.isTTY) this.#printBar(this.#timeLeft());
    else this.#printSection(sectionOf(name));
  }

  #printSection(section: string): void {
    const verdicts = this.#names.filter((each) => sectionOf(each) === section).map((each) => this.#verdicts.get(each));
    if (!verdicts.includes(undefined)) this.#screen.write(`${section}: ${countsOf(verdicts)} (${this.#done()})\n`);
  }

  /** The run sends nothing for this time, in milliseconds. */
  waits(ms: number, why: WaitsFor): void {
    if (ms < shortestPause) return;
    const pause = `waits ${seconds(ms)}: ${pauses[why]}`;
    if (this.#screen.isTTY) this.#printBar(pause);
    else this.#screen.write(`${pause}\n`);
  }

  /** Removes the bar. */
  end(): void {
    if (this.#screen.isTTY) this.#screen.write(clearLine);
  }

  #done(): string {
    return `${this.#verdicts.size} of ${formatCount(this.#names.length, 'clause')}`;
  }

  #printBar(more: string): void {
    const full = Math.round((barWidth * this.#verdicts.size) / this.#names.length);
    const failed = [...this.#verdicts.values()].filter((verdict) => verdict === 'fail').length;
    const bar = '█'.repeat(full) + '░'.repeat(barWidth - full);
    const line = [`${bar} ${this.#done()}`, failed > 0 ? `${failed} fail` : '', more].filter(Boolean).join(' · ');
    this.#screen.write(clearLine + line.slice(0, (this.#screen.columns ?? 80) - 1));
  }

  #timeLeft(): string {
    const done = this.#verdicts.size;
    return `${seconds(((realTime.now() - this.#start) / done) * (this.#names.length - done))} left`;
  }
}

const countsOf = (verdicts: readonly (string | undefined)[]): string =>
  [...new Set(verdicts)].map((each) => `${verdicts.filter((other) => other === each).length} ${each}`).join(', ');

const seconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`;
const sectionOf = (name: ClauseName): string => headingOf({ from: clauseTexts.get(name)?.from ?? [] });
