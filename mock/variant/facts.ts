import { factsOf as checkedFacts, type Facts } from '../../openapi/variant/check.ts';
import type { Dialect } from '../contract/effective/dialects.ts';
import { FactsError } from './facts-error.ts';

/** Checks a value as facts; `name` is what messages call it. Throws FactsError with everything that is wrong. */
export function factsOf(given: unknown, name = 'the facts'): Facts {
  return checkedFacts(given, name, FactsError);
}

/** Throws FactsError where a row of one's own makes a schema that is none. */
export function mustCompile({ contract, ownRows }: Dialect): void {
  if (!ownRows.some((row) => 'schema' in row)) return;
  try {
    contract.prepare();
  } catch (error) {
    throw new FactsError([
      `With the schema rows of wire, a schema of the contract is none any more: ${(error as Error).message}.`,
    ]);
  }
}
