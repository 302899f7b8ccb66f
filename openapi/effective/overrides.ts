import type { Json, JsonObject } from '../document.ts';

/**
 * One difference of a deployment from the contract. A target is `Schema.property`, `operationId.parameter`, an operation, or a refusal code.
 * An override names its target as the contract does, even if another override renames the target.
 */
export type Override =
  /** Another name for a property or a parameter. */
  | { readonly rename: string; readonly to: string }
  /** Another path for a property, such as `recipient.name`. */
  | { readonly move: string; readonly to: string }
  /** Puts the operation's response into an object, under this name or path. */
  | { readonly wrap: string; readonly in: string }
  | { readonly status: string; readonly to: number }
  | { readonly media: string; readonly to: string }
  /**
   * Another body of a response; null is an empty body. Inside a string, `{message}` becomes the refusal's message. The string `{status}` becomes the status
   * as a number. The string `{errors}` becomes the messages by field. `{ $schema: "GiftCard" }` becomes the part of the response with this schema.
   */
  | { readonly body: string; readonly to: Json }
  /** A JSON merge patch for the schema of a component, a property or a parameter. Its `examples` also replace the document's examples. */
  | { readonly schema: string; readonly to: JsonObject }
  /** Makes a property or a parameter required or optional. */
  | { readonly required: string; readonly to: boolean };

/** An override with its source, for messages. The source is an option of a question, or the position of the override in a file. */
export interface SourcedOverride {
  readonly override: Override;
  readonly from: string;
}
