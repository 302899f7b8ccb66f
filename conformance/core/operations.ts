import { type JsonObject, operationsOf, resolve } from '../../openapi/document.ts';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import type { OperationId } from '../../openapi/generated/validators.js';

/** An operation of the contract, and which paths are its own. */
export interface Operation {
  readonly id: OperationId;
  /** In capitals. */
  readonly method: string;
  /** With {code} in the place of a code. */
  readonly path: string;
  /** What stands before the path's parameter, or the whole path. */
  readonly prefix: string;
  readonly parameter: string | undefined;
  /** Names of what is asked for behind the path. */
  readonly query: readonly string[];
  readonly exactly: RegExp;
  /** Whether another letter case is another path is open. */
  readonly inAnyCase: RegExp;
}

export const operations: readonly Operation[] = operationsOf(standardDocument).map(({ id, method, path, node }) => {
  const pattern = `^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`;
  const [, prefix = path, parameter] = /^([^{]*)\{([^}]+)\}$/.exec(path) ?? [];
  return {
    id: id as OperationId,
    method: method.toUpperCase(),
    path,
    prefix,
    parameter,
    query: ((node.parameters ?? []) as JsonObject[])
      .map((each) => resolve(standardDocument, each))
      .flatMap((each) => (each.in === 'query' ? [String(each.name)] : [])),
    exactly: new RegExp(pattern),
    inAnyCase: new RegExp(pattern, 'i'),
  };
});
