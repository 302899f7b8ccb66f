import { UnusableInput } from '../../openapi/input/unusable-input.ts';
import { AccountConflict } from '../account/accounts.ts';
import type { Pausable } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import { mustMatch } from '../contract/check.ts';
import { isForPage, pathOf, wantsPage } from '../dashboard/addresses.ts';
import { plainAnswer } from '../dashboard/page-answer.ts';
import { answerPage } from '../dashboard/pages.ts';
import { hold } from '../pipeline/commit.ts';
import type { Answer, ServiceRequest } from '../pipeline/exchange.ts';
import type { AccountSnapshot } from '../snapshot/capture.ts';
import { jsonParts } from '../snapshot/json-parts.ts';
import { replies } from './generated/validators.js';
import { type Guard, refusalOf } from './guard.ts';
import { handlers } from './handlers.ts';
import { type Operation, read, router } from './operations.ts';
import { ControlError, inputOf } from './resources.ts';

/** Answers a request to the control API. A refused request changes nothing. */
export async function control(sandbox: Sandbox, request: ServiceRequest, guard: Guard): Promise<Answer> {
  try {
    const refusal = refusalOf(request, guard);
    if (refusal) return wantsPage(request) ? plainAnswer(...refusal) : errorAnswer(...refusal);
    const path = pathOf(request);
    if (isForPage(request)) return await answerPage(sandbox, request);
    if (path === '/__mock') return { status: 308, headers: { location: '/__mock/' }, body: '' };
    const route = router.find(request.method, request.target);
    if (!('operation' in route)) return notFound(path, route, request.method);
    const { operation } = route;
    const handle = handlers[operation.id] as (input: unknown) => unknown;
    const input = read(route, request);
    const busy = () => sandbox.accounts.get(String(input.path.account))?.work.underWay;
    while (busy()) await busy();
    const given = inputOf(sandbox, input);
    const reply = handle(given);
    const isPausable = typeof reply === 'object' && reply !== null && 'next' in reply;
    const answer = answerOf(operation, await (isPausable ? hold(given.account, reply as Pausable<unknown>) : reply));
    const report = (error: unknown) => {
      sandbox.defect(error, request);
      throw error;
    };
    return answer.parts ? { ...answer, parts: reported(answer.parts, report) } : answer;
  } catch (error) {
    if (error instanceof ControlError) return errorAnswer(error.status, error.message);
    if (error instanceof AccountConflict) return errorAnswer(409, error.message);
    if (error instanceof UnusableInput) return errorAnswer(400, error.message, error.problems);
    sandbox.defect(error, request);
    return errorAnswer(500, 'The control API has a defect; the log has details.');
  }
}

/** Reports an error in the parts. A client that leaves throws its error at the `yield`, so that error is not reported. */
async function* reported(parts: NonNullable<Answer['parts']>, report: (error: unknown) => never) {
  const iterator = parts[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await iterator.next().catch(report);
    if (done) return;
    yield value;
  }
}

function notFound(path: string, methods: readonly string[], method: string): Answer {
  if (methods.length > 0) {
    const refusal = errorAnswer(405, `${path} takes ${methods.join(' and ')}, not ${method}.`);
    return { ...refusal, headers: { ...refusal.headers, allow: methods.join(', ') } };
  }
  return errorAnswer(404, `The control API has no path ${path}. GET /__mock/ lists its operations.`);
}

function errorAnswer(status: number, error: string, problems?: readonly string[]): Answer {
  return json(status, problems ? { error, problems } : { error });
}

/** Larger replies, such as 10,000 events of an advance, are not checked, because the check would delay other requests. In characters. */
const LARGEST_CHECKED = 1_000_000;

/** Throws if the reply does not match the document, which is a defect of the mock. */
function answerOf({ id, success: { status, mediaType, headers } }: Operation, reply: unknown): Answer {
  if (mediaType === undefined) return { status, headers, body: '' };
  // Snapshots are large, so they are neither checked nor indented.
  if (mediaType.endsWith('+json')) return { status, headers, body: '', parts: jsonParts(reply as AccountSnapshot) };
  if (mediaType !== 'application/json') return { status, headers, body: reply as string };
  const answer = json(status, reply);
  const check = answer.body.length <= LARGEST_CHECKED ? replies[id] : undefined;
  if (check) mustMatch(check, JSON.parse(answer.body as string), `The reply of ${id}`);
  return answer;
}

function json(status: number, value: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: `${JSON.stringify(value, null, 2)}\n` };
}
