import type { Json, JsonObject } from '../document.ts';

/**
 * One way in which a deployment's wire differs from the contract as it is written. Every row names things by the contract's own names, whatever
 * other rows do to them: `Schema.property`, `operationId.parameter`, an operation, or a refusal code.
 */
export type Override =
  /** Another name for a property or a parameter. */
  | { readonly rename: string; readonly to: string }
  /** Another place for a property, its steps joined by dots: `recipient.name`. */
  | { readonly move: string; readonly to: string }
  /** The operation's answer inside an object, under this name. */
  | { readonly wrap: string; readonly in: string }
  | { readonly status: string; readonly to: number }
  | { readonly media: string; readonly to: string }
  /**
   * Another body of an answer: null is an empty one; in texts `{message}` is what a refusal says, the text `{status}` its status as a number, and `{errors}` what is wrong by field;
   * `{ $schema: "GiftCard" }` is the part of the answer that has this schema.
   */
  | { readonly body: string; readonly to: Json }
  /** A JSON merge patch on a schema, on that of a property or on that of a parameter. `examples` in it also renews the document's examples. */
  | { readonly schema: string; readonly to: JsonObject }
  /** Whether a property or a parameter has to be there. */
  | { readonly required: string; readonly to: boolean };

/** An override with the name that messages give it: the option it belongs to, or its number in a file. */
export interface SourcedOverride {
  readonly override: Override;
  readonly from: string;
}
