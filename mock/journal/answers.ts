import { kept, LONGEST } from './entry.ts';

/** Whoever asks again mostly gets the same answer: a long one is then kept once. */
export class Answers {
  #kept = '';

  /** The answer as it can be kept. */
  of(text: string): string {
    if (text.length <= LONGEST) return text;
    if (text.slice(0, LONGEST) !== this.#kept) this.#kept = kept(text);
    return this.#kept;
  }
}
