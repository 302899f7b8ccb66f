import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ContractVariant } from '../contract/effective/contract-variants.ts';
import { documentOf } from './behaviors.ts';
import controlDocument from './generated/control.json' with { type: 'json' };

/** The contract, the control API's own document, and the pages that show them. */

/** As it is spoken by an account, or to those whose account is not known. */
export function contract(speaker: ContractVariant): Readonly<Record<string, unknown>> {
  return documentOf(speaker);
}

export async function asYaml(document: Readonly<Record<string, unknown>>): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(document, { aliasDuplicateObjects: false });
}

export function ownDocument(): Readonly<Record<string, unknown>> {
  return controlDocument;
}

/** In the package these files lie beside the code; in a checkout, where they come from. */
export function referencePage(): Promise<string> {
  return firstOf(new URL('./reference.html', import.meta.url), new URL('../../openapi/reference.html', import.meta.url));
}

/** The same page, with the control API's document in it. */
export async function ownReferencePage(): Promise<string> {
  const page = await referencePage();
  return page
    .replaceAll('openapi.json', 'control.json')
    .replace('Gift Card Service API: reference of the sandbox', 'The control API of the gift card sandbox: reference');
}

export function referenceRenderer(): Promise<string> {
  return firstOf(new URL('./redoc.standalone.js', import.meta.url), () =>
    createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js'),
  );
}

async function firstOf(packaged: URL, checkedOut: URL | (() => string)): Promise<string> {
  try {
    return await readFile(packaged, 'utf8');
  } catch {
    return readFile(typeof checkedOut === 'function' ? checkedOut() : checkedOut, 'utf8');
  }
}
