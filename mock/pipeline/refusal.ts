import { type Names, withNames } from '../contract/effective/names.ts';
import type { Change } from '../state/change.ts';
import type { RefusalCode } from './problems.ts';

const NO_CHANGES: readonly Change[] = [];

/** A lawful rejection of a request. A defect of the mock is not a Refusal: the defect is thrown, and the client gets 500. */
export class Refusal {
  readonly code: RefusalCode;
  /** The code, ID or value in the message. For an invalid request, the reason, which begins with the name of the field. */
  readonly about: string;
  /** Changes of the refused request. By default, a refusal has no changes (idempotency.refused-request). */
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

export function isRefused<T>(result: T | Refusal): result is Refusal {
  return result instanceof Refusal;
}

/** Refusals with a field's name in the message. If an override renames the field, the message needs the new name. */
const NAMES_FIELDS: ReadonlySet<RefusalCode> = new Set([
  'request.invalid',
  'request.incomplete',
  'gift-card.gifted-names-missing',
]);

/** Returns the refusal with the names that its fields have on the wire. */
export function inWireNames(refusal: Refusal, names: Names | undefined): Refusal {
  const { code, about, changes } = refusal;
  return names && NAMES_FIELDS.has(code) ? refuse(code, withNames(about, names), changes) : refusal;
}
