import type { ErrorObject } from 'ajv';
import { type SchemaProblem, schemaProblems } from '../../openapi/schema-errors.ts';

/** A compiled JSON Schema. If the function returns false, `errors` has the reasons. */
export interface SchemaCheck {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** Throws if a value of the mock breaks the contract. The message calls the value `name`. */
export function mustMatch(check: SchemaCheck, value: unknown, name: string): void {
  if (!check(value)) throw new Error(`${name} breaks the contract: ${firstProblem(check, value).sentence}`);
}

/** Returns the first error of the last call of `check`. */
export function firstProblem({ errors }: SchemaCheck, value: unknown): SchemaProblem {
  const [problem] = schemaProblems((errors ?? []).slice(0, 1), value);
  return problem ?? { path: [], sentence: 'it is not valid.', isMissing: false };
}
