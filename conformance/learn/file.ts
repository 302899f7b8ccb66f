import { UsageError } from '../../command-line/usage-error.ts';
import { factsIn } from '../../openapi/variant/check.ts';
import type { FactsFile } from '../../openapi/variant/facts-file.ts';
import { readingOf as checkedReading } from '../../openapi/variant/parts.ts';

export type { ByClause, FactsFile, Sighting } from '../../openapi/variant/facts-file.ts';

/** A facts file that cannot be used, with everything that is wrong. */
export class UnusableFacts extends UsageError {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** Reads a facts file of YAML or JSON. Throws UsageError for one that cannot be used, with everything that is wrong. */
export async function readFacts(file: string): Promise<FactsFile> {
  const { wire, ...others } = await factsIn(file, UnusableFacts);
  return { ...others, ...(wire.length > 0 ? { wire } : {}) };
}

/** A reading that the clause has. Throws UsageError, with `whose` as the sentence's beginning. */
export function readingOf(name: string, given: string, whose: string): string {
  const { reading, problem } = checkedReading(name, given);
  if (problem !== undefined) throw new UsageError(`${whose}: ${problem}`);
  return reading;
}
