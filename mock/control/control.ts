import { UnusableInput } from '../../openapi/input/unusable-input.ts';
import { AccountConflict } from '../account/accounts.ts';
import type { Slices } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import { mustMatch } from '../contract/check.ts';
import { isForPage, pathOf, wantsPage } from '../dashboard/addresses.ts';
import { plainResponse } from '../dashboard/page-response.ts';
import { respondWithPage } from '../dashboard/pages.ts';
import { lockAccount } from '../pipeline/commit.ts';
import type { ServiceRequest, ServiceResponse } from '../pipeline/exchange.ts';
import type { AccountSnapshot } from '../store/snapshot/capture.ts';
import { jsonParts } from '../store/snapshot/json-parts.ts';
import { responses } from './generated/validators.js';
import { type Guard, guardRefusal } from './guard.ts';
import { handlers } from './handlers.ts';
import { type ControlOperation, read, router } from './operations.ts';
import { ControlError, inputOf } from './resources.ts';

/** Responds to a request to the control API. A refused request changes nothing. */
export async function handleControl(sandbox: Sandbox, request: ServiceRequest, guard: Guard): Promise<ServiceResponse> {
  try {
    const refusal = guardRefusal(request, guard);
    if (refusal) return wantsPage(request) ? plainResponse(...refusal) : errorResponse(...refusal);
    const path = pathOf(request);
    if (isForPage(request)) return await respondWithPage(sandbox, request);
    if (path === '/__mock') return { status: 308, headers: { location: '/__mock/' }, body: '' };
    const route = router.find(request.method, request.target);
    if (!('operation' in route)) return notFound(path, route, request.method);
    const { operation } = route;
    const handle = handlers[operation.id] as (input: unknown) => unknown;
    const input = read(route, request);
    const busy = () => sandbox.accounts.get(String(input.path.account))?.work.underWay;
    while (busy()) await busy();
    const given = inputOf(sandbox, input);
    const result = handle(given);
    const isInSlices = typeof result === 'object' && result !== null && 'next' in result;
    const response = responseOf(operation, await (isInSlices ? lockAccount(given.account, result as Slices<unknown>) : result));
    const report = (error: unknown) => {
      sandbox.defect(error, request);
      throw error;
    };
    return response.parts ? { ...response, parts: reported(response.parts, report) } : response;
  } catch (error) {
    if (error instanceof ControlError) return errorResponse(error.status, error.message);
    if (error instanceof AccountConflict) return errorResponse(409, error.message);
    if (error instanceof UnusableInput) return errorResponse(400, error.message, error.problems);
    sandbox.defect(error, request);
    return errorResponse(500, 'The control API has a defect; the log has details.');
  }
}

/** Reports an error in the parts. A client that leaves throws its error at the `yield`, so that error is not reported. */
async function* reported(parts: NonNullable<ServiceResponse['parts']>, report: (error: unknown) => never) {
  const iterator = parts[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await iterator.next().catch(report);
    if (done) return;
    yield value;
  }
}

function notFound(path: string, methods: readonly string[], method: string): ServiceResponse {
  if (methods.length > 0) {
    const refusal = errorResponse(405, `${path} takes ${methods.join(' and ')}, not ${method}.`);
    return { ...refusal, headers: { ...refusal.headers, allow: methods.join(', ') } };
  }
  return errorResponse(404, `The control API has no path ${path}. GET /__mock/ lists its operations.`);
}

function errorResponse(status: number, error: string, problems?: readonly string[]): ServiceResponse {
  return json(status, problems ? { error, problems } : { error });
}

/** Larger responses, such as 10,000 events of an advance, are not checked, because the check would delay other requests. In characters. */
const LARGEST_CHECKED = 1_000_000;

/** Throws if the response does not match the document, which is a defect of the mock. */
function responseOf({ id, success: { status, mediaType, headers } }: ControlOperation, result: unknown): ServiceResponse {
  if (mediaType === undefined) return { status, headers, body: '' };
  // Snapshots are large, so they are neither checked nor indented.
  if (mediaType.endsWith('+json')) return { status, headers, body: '', parts: jsonParts(result as AccountSnapshot) };
  if (mediaType !== 'application/json') return { status, headers, body: result as string };
  const response = json(status, result);
  const check = response.body.length <= LARGEST_CHECKED ? responses[id] : undefined;
  if (check) mustMatch(check, JSON.parse(response.body as string), `The response of ${id}`);
  return response;
}

function json(status: number, value: unknown): ServiceResponse {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: `${JSON.stringify(value, null, 2)}\n` };
}
