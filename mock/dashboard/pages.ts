import type { Sandbox } from '../account/sandbox.ts';
import type { ServiceRequest, ServiceResponse } from '../pipeline/exchange.ts';
import { isForCard, pathOf } from './addresses.ts';
import { asset } from './assets.ts';
import { cardPage } from './card-page.ts';
import { events } from './events.ts';
import { pageResponse } from './page-response.ts';

/** Responds to a request that `isForPage` and the guard accept. */
export async function responsePage(sandbox: Sandbox, request: ServiceRequest): Promise<ServiceResponse> {
  const path = pathOf(request);
  if (isForCard(request)) return cardPage(sandbox, path);
  if (path === '/__mock/events') return events(sandbox, request);
  if (path !== '/__mock/') return asset(path, request);
  // Without its script, the page would stay empty.
  const script = await asset('/__mock/ui/dashboard.js', request);
  return script.status === 503 ? script : pageResponse(PAGE, POLICY);
}

/** The page loads only files of the sandbox, sends only to the sandbox, and is in no frame of another page. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
