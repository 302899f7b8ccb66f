import type { OperationId } from '../../openapi/generated/validators.js';

/** What the mock needs of an OpenAPI document, the contract as it is bundled. */
export interface ContractDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly responses?: Readonly<Record<string, ResponseObject>>;
    readonly parameters?: Readonly<Record<string, ParameterObject>>;
    readonly schemas?: Readonly<Record<string, unknown>>;
  };
  readonly 'x-outside-operations': Readonly<Record<string, ResponseObject>>;
}

export interface ResponseObject {
  readonly $ref?: string;
  readonly 'x-refusals'?: readonly string[];
  readonly content?: Readonly<Record<string, unknown>>;
}

export interface ParameterObject {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type?: string | readonly string[]; readonly default?: unknown };
}

export interface OperationObject {
  readonly operationId: OperationId;
  readonly parameters?: readonly ParameterObject[];
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** What a reference into the components names, or the thing itself. */
export function resolved<T extends { readonly $ref?: string }>(given: T, components: Readonly<Record<string, T>> | undefined): T {
  if (given.$ref === undefined) return given;
  const found = components?.[given.$ref.slice(given.$ref.lastIndexOf('/') + 1)];
  if (!found) throw new Error(`The contract refers to ${given.$ref}, which it does not have.`);
  return found;
}
