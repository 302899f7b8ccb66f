import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { getContract } from './behaviors.ts';
import controlDocument from './generated/control.json' with { type: 'json' };
import type { Query } from './operation-types.ts';
import { controlOperations } from './operations.ts';
import type { InSandbox } from './resources.ts';

export const listOperations = () => ({
  document: '/__mock/control.json',
  reference: '/__mock/control-reference',
  paths: Object.fromEntries(controlOperations.map(({ method, path, node }) => [`${method} ${path}`, String(node.summary)])),
});

export const getControlDocument = () => controlDocument;

export const getContractAsYaml = (given: InSandbox & Query<'getContractAsYaml'>) => asYaml(getContract(given));

export async function asYaml(document: Readonly<Record<string, unknown>>): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(document, { aliasDuplicateObjects: false });
}

export function getReference(): Promise<string> {
  return readFirst(new URL('./reference.html', import.meta.url), () => new URL('../../openapi/reference.html', import.meta.url));
}

export async function getControlReference(): Promise<string> {
  const page = await getReference();
  return page
    .replaceAll(/openapi\.json(\?rules=true)?/g, 'control.json')
    .replace('Gift Card Service API: reference of the sandbox', 'Control API of the gift card sandbox: reference');
}

export function getRenderer(): Promise<string> {
  return readFirst(new URL('./redoc.standalone.js', import.meta.url), () =>
    createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js'),
  );
}

export async function getVariantSchema(): Promise<Readonly<Record<string, unknown>>> {
  const inClone = () => new URL('../../openapi/generated/variant.schema.json', import.meta.url);
  return JSON.parse(await readFirst(new URL('./variant.schema.json', import.meta.url), inClone));
}

/** Reads a file of the installed package. In a clone of the repository, the file has another path: `cloned`. */
async function readFirst(packaged: URL, cloned: () => URL | string): Promise<string> {
  return readFile(packaged, 'utf8').catch(() => readFile(cloned(), 'utf8'));
}
