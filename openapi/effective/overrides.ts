import type { Json, JsonObject } from '../document.ts';

/**
 * One difference between a deployment's wire and the contract. Targets are the contract's own names, also if another override renames them:
 * `Schema.property`, `operationId.parameter`, an operation, or a refusal code.
 */
export type Override =
  /** Another name for a property or a parameter. */
  | { readonly rename: string; readonly to: string }
  /** Another path for a property: `recipient.name`. */
  | { readonly move: string; readonly to: string }
  /** The operation's answer inside an object, under this name or path. */
  | { readonly wrap: string; readonly in: string }
  | { readonly status: string; readonly to: number }
  | { readonly media: string; readonly to: string }
  /**
   * Another body of an answer; null is an empty body. In strings, `{message}` is the refusal's message. The string `{status}` is its status as a number,
   * `{errors}` the messages by field, and `{ $schema: "GiftCard" }` the part of the answer with this schema.
   */
  | { readonly body: string; readonly to: Json }
  /** A JSON merge patch of the schema of a component, property or parameter. `examples` in it also replaces the document's examples. */
  | { readonly schema: string; readonly to: JsonObject }
  /** Whether a property or a parameter is required. */
  | { readonly required: string; readonly to: boolean };

/** An override with the name that messages give it: the option it belongs to, or its number in a file. */
export interface SourcedOverride {
  readonly override: Override;
  readonly from: string;
}
