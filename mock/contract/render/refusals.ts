import { type Json, type JsonObject, resolve } from '../../../openapi/document.ts';

/** The contract's response to a refusal. */
export interface RefusalResponse {
  readonly status: number;
  /** Undefined if the body is empty. */
  readonly mediaType: string | undefined;
  body(message: string, errors?: FieldErrors): string;
}

/** Messages by field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** An override's response to a refusal. */
export interface RefusalForm {
  /** Undefined if the body is empty. */
  readonly mediaType: string | undefined;
  body(message: string, status: number, errors?: FieldErrors): string;
}

/** Returns the responses by refusal code. A response of the document lists its codes under `x-refusals`. */
export function refusalsIn(
  document: JsonObject,
  responses: Json | undefined,
  wire: { readonly refusals: ReadonlyMap<string, RefusalForm> } | undefined,
): Map<string, RefusalResponse> {
  const refusals = new Map<string, RefusalResponse>();
  for (const [text, response] of Object.entries((responses ?? {}) as JsonObject)) {
    const status = Number(text);
    for (const code of (resolve(document, response)['x-refusals'] ?? []) as string[]) {
      const form = wire?.refusals.get(code);
      if (!form) refusals.set(code, { status, mediaType: 'text/plain', body: (message) => message });
      else
        refusals.set(code, { status, mediaType: form.mediaType, body: (message, errors) => form.body(message, status, errors) });
    }
  }
  return refusals;
}
