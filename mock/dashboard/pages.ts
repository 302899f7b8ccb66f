import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Sandbox } from '../account/sandbox.ts';
import { COOKIE_PREFIX } from '../control/guard.ts';
import type { ServiceRequest, ServiceResponse } from '../pipeline/exchange.ts';
import { isForCard, pathOf } from './addresses.ts';
import { cardPage } from './card-page.ts';
import { events } from './events.ts';
import { pageResponse, plainResponse } from './page-response.ts';

const TYPES = new Map([
  ['dashboard.js', 'text/javascript; charset=utf-8'],
  ['dashboard.css', 'text/css; charset=utf-8'],
]);

/** Responds to a request that `isForPage` and the guard accept. */
export async function respondWithPage(sandbox: Sandbox, request: ServiceRequest): Promise<ServiceResponse> {
  const path = pathOf(request);
  if (isForCard(request)) return cardPage(sandbox, path);
  if (path === '/__mock/events') return events(sandbox, request);
  if (path !== '/__mock/') return assetResponse(path, request);
  // Without its script, the page would stay empty.
  const script = await assetResponse('/__mock/ui/dashboard.js', request);
  return script.status === 503 ? script : pageResponse(pageFor(request), POLICY);
}

/** Returns script or style sheet of the dashboard. Reads the file for each request, so that a new build needs no restart. */
async function assetResponse(path: string, { headers }: ServiceRequest): Promise<ServiceResponse> {
  const name = path.slice('/__mock/ui/'.length);
  const type = TYPES.get(name);
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

/** The page loads only files of the sandbox, sends only to the sandbox, and is in no frame of another page. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The script cannot read the cookie of the sign-in, so the page says whether the browser sent one. */
const pageFor = ({ headers }: ServiceRequest): string =>
  `${headers.cookie}`.includes(COOKIE_PREFIX) ? PAGE.replace('<body>', '<body data-signed-in>') : PAGE;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>giftcard-sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/__mock/ui/dashboard.css">
<script src="/__mock/ui/dashboard.js" type="module"></script>
</head>
<body></body>
</html>
`;
