import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import contractDocument from '../../openapi/generated/contract.json' with { type: 'json' };
import type { Answer } from '../exchange.ts';

/** The contract and its reference page, as files. */

export function json(status: number, value: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: `${JSON.stringify(value, null, 2)}\n` };
}

export function html(body: string): Answer {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

export function javascript(body: string): Answer {
  return { status: 200, headers: { 'content-type': 'text/javascript; charset=utf-8' }, body };
}

export function document(): Answer {
  return json(200, contractDocument);
}

export async function yamlDocument(): Promise<Answer> {
  const { stringify } = await import('yaml');
  const body = stringify(contractDocument, { aliasDuplicateObjects: false });
  return { status: 200, headers: { 'content-type': 'application/yaml; charset=utf-8' }, body };
}

/** In the package these files lie beside the code; in a checkout, where they come from. */
export function referencePage(): Promise<string> {
  return firstOf(new URL('./reference.html', import.meta.url), new URL('../../openapi/reference.html', import.meta.url));
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
