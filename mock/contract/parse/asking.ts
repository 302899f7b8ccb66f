import { type Behaviors, defaultBehaviors } from '../../../openapi/generated/clauses.ts';

/** What decides on how a request is read, besides the contract. */
const CLAUSES = [
  'errors.several-reasons',
  'http.content-type',
  'http.date-without-time',
  'http.path-decoding',
  'http.path-plus',
  'http.property-letter-case',
  'http.repeated-parameter',
  'http.repeated-property',
  'http.version-headers',
  'http.wrong-json-type',
  'list.include-all-unreadable',
  'list.page-number-negative',
  'list.page-number-unreadable',
  'list.page-size-above-maximum',
  'list.page-size-below-one',
  'list.page-size-unreadable',
  'list.since-unreadable',
] as const satisfies readonly (keyof Behaviors)[];

/** The behaviors, where requests are read otherwise than by default; undefined where they are not, so that the default asks no further. */
export function askingOf(behaviors: Behaviors): Behaviors | undefined {
  return CLAUSES.some((clause) => behaviors[clause] !== defaultBehaviors[clause]) ? behaviors : undefined;
}
