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

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
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

  /** A version 4 GUID. */
  guid(): string {
    const [a, b, c, d] = [this.#generator.next(), this.#generator.next(), this.#generator.next(), this.#generator.next()];
    const hex = (word: number, shift: number) => HEX[(word >>> shift) & 255] as string;
    const versioned = HEX[((b >>> 8) & 0x0f) | 0x40] as string;
    const variant = HEX[((c >>> 24) & 0x3f) | 0x80] as string;
    return `${hex(a, 24)}${hex(a, 16)}${hex(a, 8)}${hex(a, 0)}-${hex(b, 24)}${hex(b, 16)}-${versioned}${hex(b, 0)}-${variant}${hex(c, 16)}-${hex(c, 8)}${hex(c, 0)}${hex(d, 24)}${hex(d, 16)}${hex(d, 8)}${hex(d, 0)}`;
  }

  /** A text of the given pattern: `X` becomes a letter or digit that cannot be misread, `#` a digit, anything else stays. */
  code(pattern: string): string {
    return pattern.replace(/[X#]/g, (sign) =>
      sign === '#' ? String(this.below(10)) : (LETTERS_AND_DIGITS[this.below(32)] as string),
    );
  }
}
