import type { OperationId } from '../../openapi/generated/validators.js';
import { type ContractDocument, type OperationObject, type ParameterObject, type ResponseObject, resolved } from './document.ts';
import type { Names } from './effective/names.ts';
import type { Wire } from './effective/wire.ts';
import type { Routed } from './router.ts';

/** An operation of the contract. */
export interface Operation extends Routed {
  readonly id: OperationId;
  readonly parameters: readonly ParameterObject[];
  /** Fields that the effective contract renames, by the contract's name; undefined if there are none. */
  readonly names: Names | undefined;
  readonly success: SuccessAnswer;
  readonly refusals: ReadonlyMap<string, RefusalAnswer>;
}

/** How the contract answers a refusal. */
export interface RefusalAnswer {
  readonly status: number;
  /** Undefined if the body is empty. */
  readonly mediaType: string | undefined;
  body(message: string, errors?: FieldErrors): string;
}

/** The messages about each field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** How the contract answers when an operation succeeds. */
export interface SuccessAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly isEmpty: boolean;
}

const METHODS = ['get', 'post', 'put', 'delete'];

/** Every operation of a document; `wire` is how the document differs from the contract that operations and domain use. */
export function operationsIn({ paths, components }: ContractDocument, wire: Wire | undefined): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const node = item[method] as OperationObject | undefined;
      if (!node) return [];
      const { operationId: id, parameters = [], responses } = node;
      return {
        id,
        method: method.toUpperCase(),
        path,
        parameters: parameters.map((given) => resolved(given, components.parameters)),
        names: wire?.names.get(id),
        success: successOf(responses),
        refusals: refusalsOf(responses, components, wire),
      };
    }),
  );
}

/** The first response with a 2xx status. */
function successOf(responses: OperationObject['responses']): SuccessAnswer {
  const [status, { content = {} }] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? ['200', {}];
  const [mediaType] = Object.keys(content);
  // No header allows a page of another origin to read the response (http.cross-origin).
  const headers = mediaType === undefined ? {} : { 'content-type': `${mediaType}; charset=utf-8` };
  return { status: Number(status), headers, isEmpty: mediaType === undefined };
}

/** By refusal code, from the responses that list it under `x-refusals`. */
export function refusalsOf(
  responses: Readonly<Record<string, ResponseObject>>,
  components: ContractDocument['components'],
  wire: Wire | undefined,
): Map<string, RefusalAnswer> {
  const refusals = new Map<string, RefusalAnswer>();
  for (const [text, response] of Object.entries(responses)) {
    const status = Number(text);
    for (const code of resolved(response, components.responses)['x-refusals'] ?? []) {
      const form = wire?.refusals.get(code);
      if (!form) refusals.set(code, { status, mediaType: 'text/plain', body: (message) => message });
      else
        refusals.set(code, { status, mediaType: form.mediaType, body: (message, errors) => form.body(message, status, errors) });
    }
  }
  return refusals;
}
