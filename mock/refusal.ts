import type { RefusalCode } from './problems.ts';
import type { Change } from './state.ts';

const NOTHING: readonly Change[] = [];

/** The service's lawful no. A defect of ours is never one of these: it is thrown and answered with 500. */
export class Refusal {
  readonly code: RefusalCode;
  /** What the sentence names: a code, an id, a value. */
  readonly about: string;
  /** What stays of a refused request; nothing, unless a reading has it so (idempotency.refused-request). */
  readonly changes: readonly Change[];

  constructor(code: RefusalCode, about: string, changes: readonly Change[]) {
    this.code = code;
    this.about = about;
    this.changes = changes;
  }
}

export function refuse(code: RefusalCode, about = '', changes = NOTHING): Refusal {
  return new Refusal(code, about, changes);
}

export function refused<T>(result: T | Refusal): result is Refusal {
  return result instanceof Refusal;
}
