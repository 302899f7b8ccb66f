import { standardDocument } from '../../openapi/effective/readings.ts';
import { factsIn } from '../../openapi/facts/check.ts';
import { defaultReadings } from '../../openapi/generated/clauses.ts';
import { Contract } from '../contract/contract.ts';
import type { ContractDocument } from '../contract/document.ts';
import { type Dialect, Dialects } from '../wire/dialects.ts';
import { factsOf, mustCompile } from './facts.ts';
import { FactsError } from './facts-error.ts';
import type { FactsFile } from './facts-file.ts';
import { varied } from './vary.ts';

/** What a sandbox speaks at first: the facts, and where a seed is given, what it chooses of everything else. Throws FactsError. */
export async function startingDialect(given: FactsFile | string = {}, seed?: number): Promise<Dialect> {
  const facts = typeof given === 'string' ? await factsIn(given, FactsError) : factsOf(given);
  const readings = seed === undefined ? { ...defaultReadings, ...facts.facts } : varied(seed, facts);
  const standard = new Contract(standardDocument as unknown as ContractDocument);
  const dialect = await new Dialects(standard).of(readings, facts.wire);
  mustCompile(dialect);
  return dialect;
}
