import { type Names, withNames } from '../contract/effective/names.ts';
import type { Change } from '../state/change.ts';
import type { RefusalCode } from './problems.ts';

const NOTHING: readonly Change[] = [];

/** The service's lawful no. A defect of ours is never a refusal: it is thrown and answered with 500. */
export class Refusal {
  readonly code: RefusalCode;
  /** What the message names: a code, an id, a value; for a malformed request the reason, which begins with the name of the field. */
  readonly about: string;
  /** What a refused request changes; nothing by default (idempotency.refused-request). */
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

/** Refusals that are about fields, which overrides may rename. */
const ABOUT_FIELDS: ReadonlySet<RefusalCode> = new Set([
  'request.invalid',
  'request.incomplete',
  'gift-card.gifted-names-missing',
]);

/** The refusal with its fields called by these names. */
export function inNames(refusal: Refusal, names: Names | undefined): Refusal {
  const { code, about, changes } = refusal;
  return names && ABOUT_FIELDS.has(code) ? refuse(code, withNames(about, names), changes) : refusal;
}

export function refused<T>(result: T | Refusal): result is Refusal {
  return result instanceof Refusal;
}
