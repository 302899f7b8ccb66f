import { randomUUID } from 'node:crypto';
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { JumpableRandomGenerator } from 'pure-rand/types/JumpableRandomGenerator';
import type { Timestamp } from '../state/value-types.ts';

/** The one door through which time and chance come into the mock. Everything else is handed a Clock or a Chance. */

/** How a clock goes: with the machine, at its pace from another time, or not at all. */
export type ClockMode = 'real' | 'running' | 'frozen';

/** What a clock is put back from: how it went, and what it showed. */
/** What a random generator goes on from. */
export type ChanceState = readonly [number, number, number, number];

export interface ClockState {
  readonly mode: ClockMode;
  readonly now: Timestamp;
}

/** An account's clock, in milliseconds since 1970 (UTC): follows the machine, stands still, or runs from a set time. */
export class Clock {
  #offset = 0;
  /** Or it follows the machine. */
  #runs = false;
  #frozenAt: number | undefined;
  /** Stands still for a while only, and then goes on as before. */
  #held = false;

  now(): number {
    return this.#frozenAt ?? Date.now() + this.#offset;
  }

  get mode(): ClockMode {
    if (this.#frozenAt !== undefined) return this.#held ? 'running' : 'frozen';
    return this.#runs ? 'running' : 'real';
  }

  /** How far it is ahead of the machine's clock, in milliseconds; less than zero when it is behind. */
  get offset(): number {
    return this.now() - Date.now();
  }

  /** Stands still at `at`, or at the present moment of this clock. */
  freeze(at = this.now()): void {
    this.#frozenAt = at;
    this.#held = false;
  }

  /** Goes on at the machine's pace, from `at` or from where it stands. */
  run(at = this.now()): void {
    this.#offset = at - Date.now();
    this.#runs = true;
    this.#frozenAt = undefined;
    this.#held = false;
  }

  /** Shows what the machine's clock shows. */
  follow(): void {
    this.#offset = 0;
    this.#runs = false;
    this.#frozenAt = undefined;
    this.#held = false;
  }

  /** Stands still at `at` until it is let go, so that everything of one moment gets its time. */
  hold(at: number): void {
    this.#held ||= this.#frozenAt === undefined;
    this.#frozenAt = at;
  }

  /** Goes on from where it was held; one that stood still before still does. */
  letGo(): void {
    if (this.#held) this.run();
  }

  /** Shows `at` from here on; a frozen clock stays frozen. */
  set(at: number): void {
    if (this.#frozenAt === undefined) this.run(at);
    else this.#frozenAt = at;
  }

  /** How long, in real milliseconds, until this clock shows `at`; undefined when it stands still and never will. */
  until(at: number): number | undefined {
    return this.#frozenAt === undefined ? Math.max(0, at - this.now()) : undefined;
  }

  state(): ClockState {
    return { mode: this.mode, now: this.now() };
  }

  /** As it went when the state was taken; one that ran goes on from what it showed then. */
  restore({ mode, now }: ClockState): void {
    if (mode === 'real') this.follow();
    else if (mode === 'running') this.run(now);
    else this.freeze(now);
  }
}

/** A fresh seed for a run that names none; it is printed so that the run can be repeated. */
export function freshSeed(): number {
  return Math.trunc(Math.random() * 0x7fffffff);
}

/** A text that nobody can guess, unlike anything from a seed. */
export function secret(): string {
  return randomUUID();
}

/** Rings once after so many real milliseconds, unless it is called off with what it returns; it keeps no process alive. */
export function alarm(milliseconds: number, ring: () => void): () => void {
  let left = milliseconds;
  let timer: NodeJS.Timeout;
  const wind = () => {
    const wait = Math.min(left, LONGEST_TIMER);
    left -= wait;
    timer = setTimeout(() => (left > 0 ? wind() : ring()), wait);
    timer.unref();
  };
  wind();
  return () => clearTimeout(timer);
}

/** Of node: what is longer rings at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Real milliseconds of a monotonic clock, for measuring how long something took. */
export function elapsed(): number {
  return performance.now();
}

/** Calls `then` after so many real milliseconds; what is returned calls it off. */
export function later(milliseconds: number, then: () => void): () => void {
  const timer = setTimeout(then, milliseconds);
  return () => clearTimeout(timer);
}

const HEX_DIGITS = Buffer.from('0123456789abcdef');
const GUID = Buffer.from('xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx');
/** Where the digits of a GUID are, as many together as one random number fills. */
const GROUPS = [
  [0, 1, 2, 3, 4, 5, 6, 7],
  [9, 10, 11, 12, 15, 16, 17],
  [20, 21, 22, 24, 25, 26, 27],
  [28, 29, 30, 31, 32, 33, 34, 35],
];
const LETTERS_AND_DIGITS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Repeatable randomness: the same seed and the same stream give the same ids and codes in the same order. */
export class Chance {
  #generator: JumpableRandomGenerator;

  private constructor(generator: JumpableRandomGenerator) {
    this.#generator = generator;
  }

  /** The stream of one account: `stream` tells accounts of one seed apart. */
  static seeded(seed: number, stream: string): Chance {
    let mixed = seed | 0;
    for (const letter of stream) mixed = Math.imul(mixed ^ (letter.codePointAt(0) ?? 0), 0x01000193);
    return new Chance(xoroshiro128plus(mixed));
  }

  static from(state: readonly number[]): Chance {
    return new Chance(xoroshiro128plusFromState(state));
  }

  state(): ChanceState {
    return this.#generator.getState() as unknown as ChanceState;
  }

  /** A whole number from 0 up to, not including, `below` (at most 2^16). */
  below(below: number): number {
    return ((this.#generator.next() >>> 8) % (below << 0)) | 0;
  }

  /** A version 4 GUID, put together in bytes: a text of twenty pieces would be kept as twenty texts. */
  guid(): string {
    for (const group of GROUPS) {
      let word = this.#generator.next();
      for (const at of group) {
        GUID[at] = HEX_DIGITS[word & 15] as number;
        word >>>= 4;
      }
    }
    GUID[14] = 0x34; // version 4
    GUID[19] = HEX_DIGITS[8 | (this.#generator.next() & 3)] as number; // the variant
    return GUID.toString('latin1');
  }

  /** A text of the given pattern: `X` becomes a letter or digit that cannot be misread, `#` a digit, anything else stays. */
  code(pattern: string): string {
    return pattern.replace(/[X#]/g, (sign) =>
      sign === '#' ? String(this.below(10)) : (LETTERS_AND_DIGITS[this.below(32)] as string),
    );
  }
}

/** Resolves after so many real milliseconds, for a command that asks again. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
