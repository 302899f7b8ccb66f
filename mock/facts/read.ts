import { parsed, textOf } from '../world-file/text.ts';
import { type Facts, factsOf } from './facts.ts';
import { FactsError } from './facts-error.ts';

/** Reads a facts file of YAML or JSON. Throws FactsError for one that cannot be used, with everything that is wrong. */
export async function readFactsFile(path: string): Promise<Facts> {
  const text = await textOf(path, 'facts file', FactsError);
  if (text.trim() === '')
    throw new FactsError([`${path}: it is empty; write facts or wire into it, or leave the facts file out.`]);
  const { value, lineOf } = await parsed(text, path, FactsError);
  return factsOf(value, path, lineOf);
}
