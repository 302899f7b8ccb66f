import { randomUUID } from 'node:crypto';
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { JumpableRandomGenerator } from 'pure-rand/types/JumpableRandomGenerator';

/** The one door through which time and chance come into the mock. Everything else is handed a Clock or a Chance. */

/** An account's clock, in milliseconds since 1970 (UTC): follows the machine, stands still, or runs from a set time. */
export class Clock {
  #offset = 0;
  #frozenAt: number | undefined;

  now(): number {
    return this.#frozenAt ?? Date.now() + this.#offset;
  }

  /** Stands still at `at`, or at the present moment of this clock. */
  freeze(at = this.now()): void {
    this.#frozenAt = at;
  }

  /** Shows `at` from here on; a frozen clock stays frozen. */
  set(at: number): void {
    if (this.#frozenAt === undefined) this.#offset = at - Date.now();
    else this.#frozenAt = at;
  }

  /** How long, in real milliseconds, until this clock shows `at`; undefined when it stands still and never will. */
  until(at: number): number | undefined {
    return this.#frozenAt === undefined ? Math.max(0, at - this.now()) : undefined;
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

/** Real milliseconds of a monotonic clock, for measuring how long something took. */
export function elapsed(): number {
  return performance.now();
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

  state(): readonly number[] {
    return this.#generator.getState();
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
