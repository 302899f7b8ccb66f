import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { checkVariant, readVariant, VariantError, type VariantFile } from '../../openapi/effective/variant.ts';
import { defaultBehaviors } from '../../openapi/generated/rules.ts';
import { Contract } from '../contract/contract.ts';
import { type ContractVariant, ContractVariants } from '../contract/effective/contract-variants.ts';
import { CardRenderer } from '../contract/render/card.ts';
import type { CardRecord } from '../state/records.ts';
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

/** Throws VariantError if a card cannot have a value that the schema overrides allow. */
export function mustFit({ contract, behaviors, overrides }: ContractVariant, cards: Iterable<CardRecord>): void {
  if (!overrides.some((override) => 'schema' in override)) return;
  const renderer = new CardRenderer({ contract, behaviors });
  try {
    for (const card of cards) renderer.render(card);
  } catch (error) {
    throw new VariantError([`The schema overrides do not fit. ${(error as Error).message}`]);
  }
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
