/** Types of values. Their tags become limits in the JSON Schema of snapshots (scripts/generate/schema-of-type.ts). */

/** An amount in the minor unit of its currency, such as cents. */
export type Minor = number;

/** Milliseconds since 1970, UTC, in a year of four digits. @minimum -62167219200000 @maximum 253402300799999 */
export type Timestamp = number;

/** @minimum 0 */
export type Count = number;

/** @minimum 400 @maximum 599 */
export type ErrorStatus = number;

/** @format date-time */
export type DateTime = string;

/** A number of a snapshot that need not be an integer. @fraction */
export type Fraction = number;

/** An amount in the major unit. @fraction @minimum 0 */
export type Price = number;

/** @format uuid */
export type Guid = string;

/** @format uri */
export type Url = string;
