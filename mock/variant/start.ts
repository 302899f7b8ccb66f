import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { defaultBehaviors } from '../../openapi/generated/clauses.ts';
import { checkVariant, readVariant, VariantError, type VariantFile } from '../../openapi/variant/variant.ts';
import { Contract } from '../contract/contract.ts';
import { type ContractVariant, ContractVariants } from '../contract/effective/contract-variants.ts';
import { varied } from './vary.ts';

/** Returns a sandbox's variant from a value or files. A seed chooses the options and names that the value or files do not give. Throws VariantError. */
export async function startingVariant(
  given: VariantFile | string | readonly string[] = {},
  seed?: number,
): Promise<ContractVariant> {
  const isFiles = typeof given === 'string' || Array.isArray(given);
  const known = isFiles ? await readVariant([given].flat()) : checkVariant(given);
  const { behaviors, overrides } = seed === undefined ? known : varied(seed, known);
  const standard = new Contract(standardDocument);
  const variant = await new ContractVariants(standard).of({ ...defaultBehaviors, ...behaviors }, overrides);
  mustCompile(variant);
  return variant;
}

/** Throws VariantError if an override makes an invalid schema. */
export function mustCompile({ contract, overrides }: ContractVariant): void {
  if (!overrides.some((row) => 'schema' in row)) return;
  try {
    contract.prepare();
  } catch (error) {
    throw new VariantError([`The schema overrides make an invalid schema: ${(error as Error).message}.`]);
  }
}
