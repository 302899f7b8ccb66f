import { type Names, withNames } from '../contract/effective/names.ts';
import type { Change } from '../state/change.ts';
import type { RefusalCode } from './problems.ts';

const NO_CHANGES: readonly Change[] = [];

/** The service rejects a request, as it may. A defect of the mock is never a Refusal: it is thrown, and answered with 500. */
export class Refusal {
  readonly code: RefusalCode;
  /** What the message names: a code, an ID, a value; for an invalid request the reason, which begins with the name of the field. */
  readonly about: string;
  /** What a refused request changes; nothing by default (idempotency.refused-request). */
  readonly changes: readonly Change[];

  constructor(code: RefusalCode, about: string, changes: readonly Change[]) {
    this.code = code;
    this.about = about;
    this.changes = changes;
  }
}

export function refuse(code: RefusalCode, about = '', changes = NO_CHANGES): Refusal {
  return new Refusal(code, about, changes);
}

export function refused<T>(result: T | Refusal): result is Refusal {
  return result instanceof Refusal;
}

/** Refusals whose message names fields, which overrides may rename. */
const NAMES_FIELDS: ReadonlySet<RefusalCode> = new Set([
  'request.invalid',
  'request.incomplete',
  'gift-card.gifted-names-missing',
]);

/** The refusal with the names that its fields have on the wire. */
export function inWireNames(refusal: Refusal, names: Names | undefined): Refusal {
  const { code, about, changes } = refusal;
  return names && NAMES_FIELDS.has(code) ? refuse(code, withNames(about, names), changes) : refusal;
}
