import type { Bytes } from './passed.ts';

/** Larger ones pass, and are not judged. */
const mostKept = 8 * 1_048_576;

/** Keeps what passes, up to what is worth judging. */
export class Kept {
  #parts: Buffer[] = [];
  #size = 0;

  add(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > mostKept) this.#parts = [];
    else this.#parts.push(part);
  }

  get bytes(): Bytes {
    if (this.#size > mostKept) return 'too large';
    return this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
  }
}
