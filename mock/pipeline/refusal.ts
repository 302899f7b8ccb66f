import { type Names, withNames } from '../contract/effective/names.ts';
import type { Change } from '../state/change.ts';
import type { RefusalCode } from './problems.ts';

const NOTHING: readonly Change[] = [];

/** The service's lawful no. A defect of ours is never one of these: it is thrown and answered with 500. */
export class Refusal {
  readonly code: RefusalCode;
  /** What the sentence names: a code, an id, a value; of a request that has not its form, what is wrong, from the name of the field on. */
  readonly about: string;
  /** What stays of a refused request; nothing, unless a reading has it so (idempotency.refused-request). */
  readonly changes: readonly Change[];
  /** What else is wrong in the same way, where all of it is told (errors.several-reasons). */
  readonly others: readonly string[];

  constructor(code: RefusalCode, about: string, changes: readonly Change[], others: readonly string[]) {
    this.code = code;
    this.about = about;
    this.changes = changes;
    this.others = others;
  }
}

export function refuse(code: RefusalCode, about = '', changes = NOTHING, others: readonly string[] = []): Refusal {
  return new Refusal(code, about, changes, others);
}

/** Refusals that are about fields, which may be called otherwise on the wire. */
const ABOUT_FIELDS: ReadonlySet<RefusalCode> = new Set([
  'request.invalid',
  'request.incomplete',
  'gift-card.gifted-names-missing',
]);

/** The refusal with the fields that it is about called by these names. */
export function inNames(refusal: Refusal, names: Names | undefined): Refusal {
  const { code, about, changes, others } = refusal;
  if (!names || !ABOUT_FIELDS.has(code)) return refusal;
  return refuse(
    code,
    withNames(about, names),
    changes,
    others.map((other) => withNames(other, names)),
  );
}

export function refused<T>(result: T | Refusal): result is Refusal {
  return result instanceof Refusal;
}
