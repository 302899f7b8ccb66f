import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { MockClient } from './client.ts';

/** A client of the mock, which remembers what the mock has acknowledged. */
export interface Actor {
  /** Prepares the first state. */
  begin(mock: MockClient): Promise<void>;
  /** Sends requests until the mock is killed. Each runner is one sequence of requests. */
  readonly runners: readonly ((mock: MockClient) => Promise<void>)[];
  /**
   * Compares the restarted mock with what the actor remembers. Then repeats the requests that got no response, if a repeat is safe. Returns the violations.
   * `kills` is the number of kills so far. The last check includes everything that was not changed since the check before.
   */
  check(mock: MockClient, kills: number, isLast: boolean): Promise<string[]>;
}

/** A source of random numbers that a seed repeats. */
export class Chance {
  readonly #generator;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
  }

  /** Returns an integer between `from` and `to`, inclusive. */
  between(from: number, to: number): number {
    return uniformInt(this.#generator, from, to);
  }

  /** Returns true in `percent` of all calls. */
  is(percent: number): boolean {
    return this.between(1, 100) <= percent;
  }

  pick<T>(values: readonly T[]): T | undefined {
    return values[this.between(0, Math.max(values.length - 1, 0))];
  }
}
