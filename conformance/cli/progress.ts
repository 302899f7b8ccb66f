import type { ClauseResult } from '../core/result.ts';
import { formatCount, tally } from '../core/text.ts';
import { realTime, type WaitsFor } from '../http/rate.ts';
import type { Io } from './context.ts';

/** Milliseconds. Shorter pauses are not printed. */
const shortestPause = 4_000;
/** Milliseconds between two lines without a terminal. */
const lineEvery = 10_000;
const clearLine = '\r\x1b[2K';

/** Prints a line that is overwritten on a terminal. Without a terminal, prints a line every ten seconds. */
export class Progress {
  readonly #screen: Io['stderr'];
  readonly #start = realTime.now();
  readonly #clauses: number;
  readonly #requests: () => number;
  readonly #verdicts: string[] = [];
  readonly #timer: NodeJS.Timeout;

  /** `requests` returns the number of requests that were sent. */
  constructor(screen: Io['stderr'], clauses: number, requests: () => number) {
    this.#screen = screen;
    this.#clauses = clauses;
    this.#requests = requests;
    this.#timer = setInterval(() => this.#print(this.#left), screen.isTTY ? 1_000 : lineEvery).unref();
  }

  finished({ verdict }: Pick<ClauseResult, 'verdict'>): void {
    this.#verdicts.push(verdict);
    if (this.#screen.isTTY) this.#print(this.#left);
  }

  /** Prints that the run sends nothing for `ms` milliseconds. */
  waits(ms: number, why: WaitsFor): void {
    if (ms >= shortestPause) this.#print(`waits ${seconds(ms)} for the ${why === 'rest' ? 'target' : 'rate limit'}`);
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#screen.isTTY) this.#screen.write(clearLine);
  }

  get #left(): string {
    const done = this.#verdicts.length;
    const perClause = (realTime.now() - this.#start) / done;
    return done === 0 ? 'no clause is done' : `about ${seconds(perClause * (this.#clauses - done))} left`;
  }

  #print(more: string): void {
    const done = this.#verdicts.length;
    // A terminal cuts the end of the line, so the counts of verdicts come last.
    const parts = [`${done} of ${formatCount(this.#clauses, 'clause')}`, more, formatCount(this.#requests(), 'request')];
    const line = [...parts, ...(done > 0 ? [tally(this.#verdicts)] : [])].join(' · ');
    const { isTTY, columns = 80 } = this.#screen;
    this.#screen.write(isTTY ? clearLine + line.slice(0, columns - 1) : `${line}\n`);
  }
}

const seconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`;
