import type { RuleResult } from '../../conformance/core/result.ts';
import { formatCount, tally } from '../../conformance/core/text.ts';
import { realTime, type WaitsFor } from '../../conformance/http/rate.ts';
import type { SuiteIo } from './context.ts';

/** Milliseconds. Shorter pauses are not printed. */
const shortestPause = 4_000;
/** Milliseconds between two lines without a terminal. */
const lineEvery = 10_000;
const clearLine = '\r\x1b[2K';

/** Prints a line that is overwritten on a terminal. Without a terminal, prints a line every ten seconds. */
export class Progress {
  readonly #screen: SuiteIo['stderr'];
  readonly #start = realTime.now();
  readonly #planned: { readonly rules: number; readonly requests: number };
  readonly #requests: () => number;
  readonly #verdicts: string[] = [];
  readonly #timer: NodeJS.Timeout;
  /** The last printed estimate, in milliseconds. */
  #left = Infinity;

  /** `requests` returns the number of requests that were sent. */
  constructor(screen: SuiteIo['stderr'], planned: { readonly rules: number; readonly requests: number }, requests: () => number) {
    this.#screen = screen;
    this.#planned = planned;
    this.#requests = requests;
    this.#timer = setInterval(() => this.#print(this.#estimate()), screen.isTTY ? 1_000 : lineEvery).unref();
  }

  finished({ verdict }: Pick<RuleResult, 'verdict'>): void {
    this.#verdicts.push(verdict);
    if (this.#screen.isTTY) this.#print(this.#estimate());
  }

  /** Prints that the run sends nothing for `ms` milliseconds. */
  waits(ms: number, why: WaitsFor, isMock: boolean): void {
    const limit = isMock ? 'rate limit; a mock with --rate-limit off has none' : 'rate limit';
    if (ms >= shortestPause) this.#print(`waits ${seconds(ms)} for the ${why === 'rest' ? 'target' : limit}`);
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#screen.isTTY) this.#screen.write(clearLine);
  }

  /** Estimates the time left from the time of the requests until now, which are at least a tenth. Returns nothing while the estimate would rise. */
  #estimate(): string | undefined {
    const [sent, planned] = [this.#requests(), this.#planned.requests];
    const left = ((realTime.now() - this.#start) * (planned - sent)) / sent;
    if (sent < planned / 10 || sent >= planned || left > this.#left) return undefined;
    this.#left = left;
    return `about ${seconds(left)} left`;
  }

  #print(more: string | undefined): void {
    const done = `${this.#verdicts.length} of ${formatCount(this.#planned.rules, 'rule')}`;
    // A terminal cuts the end of the line, so the counts of verdicts come last.
    const parts = [done, more, formatCount(this.#requests(), 'request'), tally(this.#verdicts)];
    const line = parts.filter(Boolean).join(' · ');
    const { isTTY, columns = 80 } = this.#screen;
    this.#screen.write(isTTY ? clearLine + line.slice(0, columns - 1) : `${line}\n`);
  }
}

const seconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`;
