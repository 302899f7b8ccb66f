import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { defaultBehaviors } from '../../openapi/generated/clauses.ts';
import { checkVariant, readVariant, VariantError, type VariantFile } from '../../openapi/variant/variant.ts';
import { Contract } from '../contract/contract.ts';
import { type Dialect, Dialects } from '../contract/effective/dialects.ts';
import { varied } from './vary.ts';

/** The first contract of a sandbox: a variant as a value or a file, and with a seed a random option of everything else. Throws VariantError. */
export async function startingDialect(given: VariantFile | string | readonly string[] = {}, seed?: number): Promise<Dialect> {
  const isFiles = typeof given === 'string' || Array.isArray(given);
  const variant = isFiles ? await readVariant([given].flat()) : checkVariant(given);
  const { behaviors, overrides } = seed === undefined ? variant : varied(seed, variant);
  const standard = new Contract(standardDocument);
  const dialect = await new Dialects(standard).of({ ...defaultBehaviors, ...behaviors }, overrides);
  mustCompile(dialect);
  return dialect;
}

/** Throws VariantError if an override makes an invalid schema. */
export function mustCompile({ contract, ownRows }: Dialect): void {
  if (!ownRows.some((row) => 'schema' in row)) return;
  try {
    contract.prepare();
  } catch (error) {
    throw new VariantError([`The schema overrides make an invalid schema: ${(error as Error).message}.`]);
  }
}
