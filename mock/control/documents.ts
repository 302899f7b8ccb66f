import { readFile } from 'node:fs/promises';
import { getContract } from './behaviors.ts';
import controlDocument from './generated/control.json' with { type: 'json' };
import type { Query } from './operation-types.ts';
import { controlOperations } from './operations.ts';
import type { InSandbox } from './resources.ts';

export const listOperations = () => ({
  document: '/__mock/control.json',
  reference: '/__mock/#//reference',
  paths: Object.fromEntries(controlOperations.map(({ method, path, node }) => [`${method} ${path}`, String(node.summary)])),
});

export const getControlDocument = () => controlDocument;

export const getContractAsYaml = (given: InSandbox & Query<'getContractAsYaml'>) => asYaml(getContract(given));

export async function asYaml(document: Readonly<Record<string, unknown>>): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(document, { aliasDuplicateObjects: false });
}

/** Reads the schema of the installed package. In a clone of the repository, the schema has another path. */
export async function getVariantSchema(): Promise<Readonly<Record<string, unknown>>> {
  const inClone = () => readFile(new URL('../../openapi/generated/variant.schema.json', import.meta.url), 'utf8');
  return JSON.parse(await readFile(new URL('./variant.schema.json', import.meta.url), 'utf8').catch(inClone));
}
