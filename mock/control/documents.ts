import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

export async function asYaml(document: Readonly<Record<string, unknown>>): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(document, { aliasDuplicateObjects: false });
}

export function referencePage(): Promise<string> {
  return readFirst(new URL('./reference.html', import.meta.url), () => new URL('../../openapi/reference.html', import.meta.url));
}

/** The same page, which loads the document of the control API. */
export async function controlReferencePage(): Promise<string> {
  const page = await referencePage();
  return page
    .replaceAll('openapi.json', 'control.json')
    .replace('Gift Card Service API: reference of the sandbox', 'Control API of the gift card sandbox: reference');
}

export function referenceRenderer(): Promise<string> {
  return readFirst(new URL('./redoc.standalone.js', import.meta.url), () =>
    createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js'),
  );
}

/** The package has these files next to the code; a clone has them where they come from. */
async function readFirst(packaged: URL, cloned: () => URL | string): Promise<string> {
  return readFile(packaged, 'utf8').catch(() => readFile(cloned(), 'utf8'));
}
