import { asObject, type JsonObject, operationsOf, parametersIn, resolve, successOf } from '../../openapi/document.ts';
import type { Routed } from './router.ts';

/** A path or query parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type?: string | readonly string[]; readonly default?: unknown };
}

/** An operation of the service's contract or of the control API. */
export interface ApiOperation<Id extends string> extends Routed {
  readonly id: Id;
  readonly node: JsonObject;
  readonly parameters: readonly Parameter[];
  readonly success: SuccessResponse;
}

export interface SuccessResponse {
  readonly status: number;
  /** Undefined if the body is empty. */
  readonly mediaType: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns every operation of a document, with references resolved. */
export function operationsIn<Id extends string>(document: JsonObject): ApiOperation<Id>[] {
  return operationsOf(document).map(({ id, method, path, node }) => {
    const [status, success] = successOf(node);
    const [mediaType] = Object.keys(asObject(resolve(document, success).content));
    // No header allows a page of another origin to read the response (http.cross-origin).
    const headers: SuccessResponse['headers'] = mediaType === undefined ? {} : { 'content-type': `${mediaType}; charset=utf-8` };
    return {
      id: id as Id,
      method: method.toUpperCase(),
      path,
      node,
      parameters: parametersIn(document, node) as unknown as Parameter[],
      success: { status: Number(status), mediaType, headers },
    };
  });
}
