import { operationsOf } from '../openapi/document.ts';
import { standardDocument } from '../openapi/effective/readings.ts';

/** An operation of the contract, and which paths are its own. */
export interface Operation {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  /** With {code} in the place of a code. */
  readonly path: string;
  readonly exactly: RegExp;
  /** Whether another letter case is another path is open. */
  readonly inAnyCase: RegExp;
}

export const operations: readonly Operation[] = operationsOf(standardDocument).map(({ id, method, path }) => {
  const pattern = `^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`;
  return { id, method: method.toUpperCase(), path, exactly: new RegExp(pattern), inAnyCase: new RegExp(pattern, 'i') };
});
