import { UnusableInput } from '../../openapi/input/unusable-input.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { Answer, ServiceRequest } from '../pipeline/exchange.ts';
import type { Action } from './action.ts';
import { actions } from './actions.ts';
import { ControlError } from './control-error.ts';
import { replies } from './generated/validators.js';
import { type Guard, objection } from './guard.ts';
import { read } from './read.ts';
import { entryOf } from './reader.ts';
import { type Operation, type Route, routesAt } from './route.ts';

/** Answers at the control door: who may, which operation, with what, what comes of it. Bad input gets one sentence and changes nothing. */
export async function control(sandbox: Sandbox, request: ServiceRequest, guard: Guard): Promise<Answer> {
  try {
    const entry = entryOf(request, guard);
    if (entry) return entry;
    const refusal = objection(request, guard);
    if (refusal) return no(refusal.status, refusal.sentence);
    const path = request.target.split('?', 1)[0] as string;
    if (path === '/__mock') return { status: 308, headers: { location: '/__mock/' }, body: '' };
    const routes = routesAt(path);
    const route = routes.find(({ operation }) => operation.method === (request.method === 'HEAD' ? 'GET' : request.method));
    if (!route) return notFound(path, routes, request.method);
    const { operation } = route;
    const act = actions[operation.id] as unknown as Action<never>;
    const reply: unknown = await act(sandbox, read(route, request) as never);
    return answerOf(operation, reply);
  } catch (error) {
    if (error instanceof ControlError) return no(error.status, error.message);
    if (error instanceof UnusableInput) return no(400, error.message, error.problems);
    sandbox.defect(error, request);
    return no(500, 'The control door has a defect; the log says more.');
  }
}

/** Addresses of version 0.1, and what to use instead. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\/snapshots(\/|$)/, 'There are no named snapshots: GET /__mock[/accounts/{account}]/snapshot returns one, PUT restores it.'],
  [/\/drills(\/|$)/, 'Drills are faults of deliveries: use /__mock/accounts/{account}/faults.'],
  [/\/readings$/, 'Readings are called behaviors: use /__mock/behaviors or /__mock/accounts/{account}/behaviors.'],
];

function notFound(path: string, routes: readonly Route[], method: string): Answer {
  const [, replacement] = (routes.length === 0 && REPLACED.find(([pattern]) => pattern.test(path))) || [];
  if (replacement !== undefined) return no(410, replacement);
  if (routes.length === 0) return no(404, `The control door has nothing at ${path}. GET /__mock/ lists what it has.`);
  const methods = routes.map(({ operation }) => operation.method);
  const refusal = no(405, `${path} takes ${methods.join(' and ')}, not ${method}.`);
  return { ...refusal, headers: { ...refusal.headers, allow: methods.join(', ') } };
}

function no(status: number, error: string, problems?: readonly string[]): Answer {
  return json(status, problems ? { error, problems } : { error });
}

/** What the document does not say of a reply is a defect of ours. It is found out on the way, since undefined is not written. */
function answerOf({ id, status, mediaType }: Operation, reply: unknown): Answer {
  if (mediaType === undefined) return { status, headers: {}, body: '' };
  const headers = { 'content-type': `${mediaType}; charset=utf-8` };
  // JSON of its own kind is large and nothing to be read by people.
  if (mediaType.endsWith('+json')) return { status, headers, body: JSON.stringify(reply) };
  if (mediaType !== 'application/json') {
    return { status, headers, body: reply as string };
  }
  const answer = json(status, reply);
  const valid = replies[id];
  if (valid && !valid(JSON.parse(answer.body as string))) {
    const [error] = valid.errors ?? [];
    throw new Error(`The reply of ${id} breaks the control door's document: ${error?.instancePath} ${error?.message}.`);
  }
  return answer;
}

function json(status: number, value: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: `${JSON.stringify(value, null, 2)}\n` };
}
