import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseTexts } from '../core/contract.ts';
import type { ClauseResult } from '../core/result.ts';
import { formatCount, tally } from '../core/text.ts';
import { realTime, type WaitsFor } from '../http/rate.ts';
import { headingOf } from '../report/document.ts';
import type { Io } from './context.ts';

/** Milliseconds. Shorter pauses are not printed. */
const shortestPause = 4_000;
const barWidth = 24;
const clearLine = '\r\x1b[2K';

/** Prints a bar on a terminal. Without a terminal, prints a line for each finished section of the specification. */
export class Progress {
  readonly #screen: Io['stderr'];
  readonly #start = realTime.now();
  readonly #names: readonly ClauseName[];
  readonly #verdicts = new Map<ClauseName, string>();

  constructor(screen: Io['stderr'], names: readonly ClauseName[]) {
    this.#screen = screen;
    this.#names = names;
  }

  finished({ name, verdict }: Pick<ClauseResult, 'name' | 'verdict'>): void {
    this.#verdicts.set(name, verdict);
    const done = this.#verdicts.size;
    const [elapsed, rest] = [realTime.now() - this.#start, this.#names.length - done];
    if (this.#screen.isTTY) this.#printBar(`about ${seconds((elapsed / done) * rest)} left`);
    const section = this.#names.filter((each) => sectionOf(each) === sectionOf(name));
    const verdicts = section.flatMap((each) => this.#verdicts.get(each) ?? []);
    if (this.#screen.isTTY || verdicts.length < section.length) return;
    this.#screen.write(`${sectionOf(name)}: ${tally(verdicts)} (${done} of ${formatCount(this.#names.length, 'clause')})\n`);
  }

  /** Prints that the run sends nothing for `ms` milliseconds. */
  waits(ms: number, why: WaitsFor): void {
    if (ms < shortestPause) return;
    const pause = `waits ${seconds(ms)} for the ${why === 'rest' ? 'target' : 'rate limit'}`;
    if (this.#screen.isTTY) this.#printBar(pause);
    else this.#screen.write(`${pause}\n`);
  }

  end(): void {
    if (this.#screen.isTTY) this.#screen.write(clearLine);
  }

  #printBar(more: string): void {
    const full = Math.round((barWidth * this.#verdicts.size) / this.#names.length);
    const bar = '█'.repeat(full) + '░'.repeat(barWidth - full);
    const line = `${bar} ${this.#verdicts.size} of ${this.#names.length} · ${tally([...this.#verdicts.values()])} · ${more}`;
    this.#screen.write(clearLine + line.slice(0, (this.#screen.columns ?? 80) - 1));
  }
}

const seconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`;
const sectionOf = (name: ClauseName): string => headingOf(clauseTexts.get(name) ?? { from: [] });
