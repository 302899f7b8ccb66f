import type { RefusalCode } from './problems.ts';

/** The service's lawful no. A defect of ours is never one of these: it is thrown and answered with 500. */
export class Refusal {
  readonly code: RefusalCode;
  /** What the sentence names: a code, an id, a value. */
  readonly about: string;

  constructor(code: RefusalCode, about: string) {
    this.code = code;
    this.about = about;
  }
}

export function refuse(code: RefusalCode, about = ''): Refusal {
  return new Refusal(code, about);
}

export function refused<T>(result: T | Refusal): result is Refusal {
  return result instanceof Refusal;
}
