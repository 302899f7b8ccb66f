import type { Sandbox } from '../account/sandbox.ts';
import type { Answer, ServiceRequest } from '../pipeline/exchange.ts';
import { pathOf } from './addresses.ts';
import { asset } from './assets.ts';
import { events } from './events.ts';
import { pageAnswer } from './page-answer.ts';

/** Answers a request that `isForPage` accepts. */
export async function answerPage(sandbox: Sandbox, request: ServiceRequest): Promise<Answer> {
  const path = pathOf(request);
  if (path === '/__mock/events') return events(sandbox, request);
  if (path !== '/__mock/') return asset(path, request);
  // Without its script, the page would stay empty.
  const script = await asset('/__mock/ui/dashboard.js', request);
  return script.status === 503 ? script : pageAnswer(200, PAGE);
}

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
