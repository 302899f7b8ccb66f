import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { defaultBehaviors } from '../../openapi/generated/clauses.ts';
import { factsIn } from '../../openapi/variant/check.ts';
import { Contract } from '../contract/contract.ts';
import type { ContractDocument } from '../contract/document.ts';
import { type Dialect, Dialects } from '../contract/effective/dialects.ts';
import { factsOf, mustCompile } from './facts.ts';
import { FactsError } from './facts-error.ts';
import type { FactsFile } from './facts-file.ts';
import { varied } from './vary.ts';

/** What a sandbox speaks at first: the facts, and where a seed is given, what it chooses of everything else. Throws FactsError. */
export async function startingDialect(given: FactsFile | string = {}, seed?: number): Promise<Dialect> {
  const facts = typeof given === 'string' ? await factsIn(given, FactsError) : factsOf(given);
  const behaviors = seed === undefined ? { ...defaultBehaviors, ...facts.facts } : varied(seed, facts);
  const standard = new Contract(standardDocument as unknown as ContractDocument);
  const dialect = await new Dialects(standard).of(behaviors, facts.wire);
  mustCompile(dialect);
  return dialect;
}
