import type { OperationObject, ResponseObject } from './document.ts';
import type { Wire } from './effective/wire.ts';

/** How the contract answers a refusal. */
export interface RefusalAnswer {
  readonly status: number;
  /** Undefined when the body is empty. */
  readonly mediaType: string | undefined;
  /** The body that tells a message. */
  body(message: string, errors?: FieldErrors): string;
}

/** By field, what is wrong with it. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** How the contract answers when an operation succeeds; without a media type the body is empty. */
export interface SuccessAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly isEmpty: boolean;
}

/** By the first of its responses that is a success. */
export function successOf(responses: OperationObject['responses']): SuccessAnswer {
  const [status, { content = {} }] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? ['200', {}];
  const [mediaType] = Object.keys(content);
  const isJson = mediaType === 'application/json';
  // http.cross-origin: no header lets a page of another origin in. http.version-headers: none is read but the key's.
  const headers = isJson ? JSON_HEADERS : mediaType === undefined ? {} : { 'content-type': `${mediaType}; charset=utf-8` };
  return { status: Number(status), headers, isEmpty: mediaType === undefined };
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/** By refusal code, from the responses that list it under `x-refusals`. */
export function refusalsOf(
  responses: Readonly<Record<string, ResponseObject>>,
  resolve: (given: ResponseObject) => ResponseObject,
  wire: Wire | undefined,
): Map<string, RefusalAnswer> {
  const refusals = new Map<string, RefusalAnswer>();
  for (const [text, response] of Object.entries(responses)) {
    const status = Number(text);
    for (const code of resolve(response)['x-refusals'] ?? []) {
      const form = wire?.refusals.get(code);
      if (!form) refusals.set(code, { status, mediaType: 'text/plain', body: asItIs });
      else
        refusals.set(code, { status, mediaType: form.mediaType, body: (message, errors) => form.body(message, status, errors) });
    }
  }
  return refusals;
}

function asItIs(message: string): string {
  return message;
}
