import { bodySchemaOf, isObject, type JsonObject, operationsOf, resolve } from '../../openapi/document.ts';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import type { OperationId } from '../../openapi/generated/validators.js';

export interface EndpointOperation {
  readonly id: OperationId;
  /** Method and path, such as "GET /api/GiftCard/GetById/{id}". */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The path without its parameter, such as "/api/GiftCard/GetById/". */
  readonly prefix: string;
  readonly parameter: string | undefined;
  readonly query: readonly string[];
  /** Names of the body's properties. */
  readonly body: readonly string[];
  readonly exactly: RegExp;
}

export const serviceOperations: readonly EndpointOperation[] = operationsOf(standardDocument).map(
  ({ id, method, path, node }) => {
    const body = bodySchemaOf(standardDocument, node.requestBody);
    const [, prefix = path, parameter] = /^([^{]*)\{([^}]+)\}$/.exec(path) ?? [];
    return {
      id: id as OperationId,
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      prefix,
      parameter,
      query: ((node.parameters ?? []) as JsonObject[])
        .map((each) => resolve(standardDocument, each))
        .flatMap((each) => (each.in === 'query' ? [String(each.name)] : [])),
      body: isObject(body) ? Object.keys(Object(resolve(standardDocument, body).properties)) : [],
      exactly: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    };
  },
);
