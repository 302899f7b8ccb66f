import { printable } from '../http/excerpt.ts';
import type { Lost } from './passed.ts';
import type { Seen } from './seen.ts';

/** Says why requests get no whole answer of the target: the first time of each kind, because one that is down is so for everybody. */
export class Losses {
  readonly #said = new Set<string>();
  readonly #say: (sentence: string) => void;

  constructor(say: (sentence: string) => void) {
    this.#say = say;
  }

  look({ n, ms, lost }: Seen): void {
    const kind = lost && `${lost.why} ${lost.code}`;
    if (!kind || this.#said.has(kind)) return;
    this.#said.add(kind);
    this.#say(`#${n}: ${sentences[lost.why](printable(lost.code), ms)} Further ones are only counted.`);
  }
}

const sentences: Readonly<Record<Lost['why'], (code: string, ms: number) => string>> = {
  unreachable: (code) => `the target cannot be reached (${code}); the client gets 502, which is no answer of the service.`,
  'broken off by the target': (code) => `the target broke off before its answer was whole (${code}).`,
  'broken off by the client': (_, ms) =>
    `the client gave up after ${(ms / 1_000).toFixed(1)} s, without a whole answer of the target.`,
  'broken off by the proxy': (_, ms) =>
    `there was no whole answer of the target after ${(ms / 1_000).toFixed(1)} s, when the proxy was stopped.`,
  'answered by another proxy': (code) =>
    `another proxy answered in the place of the target (${code}), which is not judged. If the target leads back to this one, every request goes round until something gives way.`,
};
