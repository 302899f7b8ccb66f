import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServiceRequest, ServiceResponse } from '../pipeline/exchange.ts';
import { plainResponse } from './page-response.ts';

const TYPES: Readonly<Record<string, string>> = {
  'dashboard.js': 'text/javascript; charset=utf-8',
  'dashboard.css': 'text/css; charset=utf-8',
};

/** Returns script or style sheet of the dashboard. Reads the file for each request, so that a new build needs no restart. */
export async function asset(path: string, { headers }: ServiceRequest): Promise<ServiceResponse> {
  const name = path.slice('/__mock/ui/'.length);
  const type = TYPES[name];
  if (type === undefined) return plainResponse(404, `The dashboard has no file ${path}.`);
  const body = await readBundled(name);
  if (body === undefined)
    return plainResponse(503, 'The dashboard is not built yet; run "npm run bundle", then load this page again.');
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const caching = { etag, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };
  if (headers['if-none-match'] === etag) return { status: 304, headers: caching, body: '' };
  return { status: 200, headers: { 'content-type': type, ...caching }, body };
}

/** Reads a file of ui/, which is next to the bundle in the package, and in dist/ in a clone of the repository. */
function readBundled(name: string): Promise<Buffer | undefined> {
  const inClone = () => readFile(new URL(`../../dist/ui/${name}`, import.meta.url));
  return readFile(new URL(`./ui/${name}`, import.meta.url))
    .catch(inClone)
    .catch(() => undefined);
}
