import { setImmediate as immediate, setTimeout as timer } from 'node:timers/promises';
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { JumpableRandomGenerator } from 'pure-rand/types/JumpableRandomGenerator';
import { LAST_TIME } from '../domain/dates.ts';
import type { Timestamp } from '../state/value-types.ts';

/** All time and randomness that a client can see comes from this file. Other files receive a Clock or a RandomSource. */

/** `real` shows the system time, `running` runs at the system's pace from another time, `frozen` does not run. */
export type ClockMode = 'real' | 'running' | 'frozen';

/** A clock in a snapshot. */
export interface ClockState {
  readonly mode: ClockMode;
  readonly now: Timestamp;
}

/** The time when `elapsed` was 0, in milliseconds since 1970 (UTC). Undefined while the time of this machine is used. */
let origin: number | undefined;

export function systemTime(): number {
  return origin === undefined ? Date.now() : Math.floor(origin + elapsed());
}

/**
 * Sets the time of all real and running clocks, so that replicas on different machines show the same time. From then on, changes of this machine's clock
 * have no effect.
 */
export function setSystemTime(now: number): void {
  origin = now - elapsed();
}

/** The clock of an account, or of requests without one, in milliseconds since 1970 (UTC). */
export class Clock {
  #mode: ClockMode = 'real';
  /** The milliseconds by which a running clock is ahead of the system time. */
  #ahead = 0;
  /** The time of a clock that is frozen, or that `stopAt` has stopped. */
  #stoppedAt: number | undefined;

  now(): number {
    return this.#stoppedAt ?? Math.min(systemTime() + this.#ahead, LAST_TIME);
  }

  get mode(): ClockMode {
    return this.#mode;
  }

  /** The milliseconds by which the clock is ahead of the system time. Negative if the clock is behind. */
  get offset(): number {
    return this.now() - systemTime();
  }

  freeze(at = this.now()): void {
    this.#mode = 'frozen';
    this.#stoppedAt = at;
  }

  run(at = this.now()): void {
    this.#mode = 'running';
    this.#ahead = at - systemTime();
    this.#stoppedAt = undefined;
  }

  /** Makes the clock show the system time. */
  follow(): void {
    this.#mode = 'real';
    this.#ahead = 0;
    this.#stoppedAt = undefined;
  }

  /** Stops the clock at `at` until `release`, so that all events of the same time see the same time. The mode `real` becomes `running`. */
  stopAt(at: number): void {
    if (this.#mode === 'real') this.#mode = 'running';
    this.#stoppedAt = at;
  }

  /** Ends the stop of `stopAt`. A running clock continues from the time of the stop. A frozen clock stays frozen. */
  release(): void {
    if (this.#mode === 'running') this.run();
  }

  /** Returns the real milliseconds until the clock shows `at`; undefined if the clock is stopped. */
  until(at: number): number | undefined {
    return this.#stoppedAt === undefined ? Math.max(0, at - this.now()) : undefined;
  }

  state(): ClockState {
    return { mode: this.mode, now: this.now() };
  }

  /** Restores the result of `state()`. A running clock continues from its time in the snapshot. */
  restore({ mode, now }: ClockState): void {
    if (mode === 'real') this.follow();
    else if (mode === 'running') this.run(now);
    else this.freeze(now);
  }
}

/** Returns a random seed for a run without a given seed. */
export function freshSeed(): number {
  return Math.trunc(Math.random() * 0x7fffffff);
}

/** Returns an unpredictable text. Texts from a seed are predictable, so they cannot be tokens. */
export function secret(): string {
  return crypto.randomUUID();
}

/**
 * Calls `callback` once after these real milliseconds, but after 24 days at most. Node would fire a longer timer immediately. The timer does not keep the
 * process alive. Returns a function that cancels the call.
 */
export function startTimer(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.min(milliseconds, 24 * 24 * 3_600_000));
  timer.unref();
  return () => clearTimeout(timer);
}

/** Returns real milliseconds of a monotonic clock, for measurements. */
export function elapsed(): number {
  return performance.now();
}

/** Resolves after some real milliseconds. Rejects if the signal aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return timer(milliseconds, undefined, { signal });
}

/** Resolves after all callbacks that can run now. */
export function idle(): Promise<void> {
  return immediate();
}

/** The milliseconds after which long work lets the event loop handle other requests. */
const SLICE = 10;

/** Returns a function that reports whether a slice of time has passed since this call. */
export function sliceOfTime(): () => boolean {
  const end = elapsed() + SLICE;
  return () => elapsed() >= end;
}

/** Work that may pause at each `yield`. */
export type Slices<T> = Generator<void, T>;

/** Does work in slices without a pause. */
export function withoutPause<T>(work: Slices<T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Repeats a step until the step returns false. Returns undefined if that takes less than a slice of time. */
export function runInSlices(step: () => boolean): Promise<void> | undefined {
  const isOver = sliceOfTime();
  while (step()) if (isOver()) return idle().then(() => runInSlices(step));
  return undefined;
}

const HEX_DIGITS = Buffer.from('0123456789abcdef');
const GUID = Buffer.from('xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx');
/** Groups of positions in a GUID. One random number gives all digits of a group. */
const GROUPS = [
  [0, 1, 2, 3, 4, 5, 6, 7],
  [9, 10, 11, 12, 15, 16, 17],
  [20, 21, 22, 24, 25, 26, 27],
  [28, 29, 30, 31, 32, 33, 34, 35],
];
const LETTERS_AND_DIGITS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A random generator in a snapshot. */
export type RandomState = readonly [number, number, number, number];

/** A random generator with repeatable values: equal seeds and streams give equal IDs and codes. */
export class RandomSource {
  #generator: JumpableRandomGenerator;

  private constructor(generator: JumpableRandomGenerator) {
    this.#generator = generator;
  }

  static seeded(seed: number, stream: string): RandomSource {
    let mixed = seed | 0;
    for (const letter of stream) mixed = Math.imul(mixed ^ (letter.codePointAt(0) ?? 0), 0x01000193);
    return new RandomSource(xoroshiro128plus(mixed));
  }

  static from(state: readonly number[]): RandomSource {
    return new RandomSource(xoroshiro128plusFromState(state));
  }

  state(): RandomState {
    return this.#generator.getState() as unknown as RandomState;
  }

  /** Returns an integer from 0 to `below` - 1; `below` is at most 2^16. */
  below(below: number): number {
    return ((this.#generator.next() >>> 8) % (below << 0)) | 0;
  }

  /** Returns a version 4 GUID. Builds the GUID in a buffer, because a string that is joined from many parts needs more memory. */
  guid(): string {
    for (const group of GROUPS) {
      let word = this.#generator.next();
      for (const at of group) {
        GUID[at] = HEX_DIGITS[word & 15] as number;
        word >>>= 4;
      }
    }
    GUID[14] = 0x34; // version 4
    GUID[19] = HEX_DIGITS[8 | (this.#generator.next() & 3)] as number; // the variant bits of RFC 9562
    return GUID.toString('latin1');
  }

  /** Returns a text of this format: `X` becomes a letter or digit that cannot be misread, and `#` becomes a digit. Other characters stay. */
  code(format: string): string {
    let code = '';
    for (const character of format) {
      if (character === 'X') code += LETTERS_AND_DIGITS[this.below(32)];
      else code += character === '#' ? this.below(10) : character;
    }
    return code;
  }

  /** Returns a code that is not taken. After a hundred attempts with taken codes, makes the format longer, so that a free code exists. */
  freeCode(format: string, isTaken: (code: string) => boolean): string {
    for (let attempt = 1, grown = format; ; attempt++) {
      const code = this.code(grown);
      if (!isTaken(code)) return code;
      if (attempt % 100 === 0) grown += 'X';
    }
  }
}
