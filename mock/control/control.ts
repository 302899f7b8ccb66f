import { UnusableInput } from '../../openapi/input/unusable-input.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { Answer, ServiceRequest } from '../pipeline/exchange.ts';
import { accountOf, cardOf } from './accounts.ts';
import type { Resources } from './action-types.ts';
import { actions } from './actions.ts';
import { automationOf } from './automations.ts';
import { channelOf } from './channels.ts';
import { ControlError } from './control-error.ts';
import { replies } from './generated/validators.js';
import { type Guard, readerLogin, rejectionOf } from './guard.ts';
import { type Read, read } from './read.ts';
import { type Operation, type Route, routesAt } from './route.ts';

/** Answers a request to the control API: guard, route, read, act, check the reply. Bad input gets one sentence and changes nothing. */
export async function control(sandbox: Sandbox, request: ServiceRequest, guard: Guard): Promise<Answer> {
  try {
    const login = readerLogin(request, guard);
    if (login) return login;
    const rejection = rejectionOf(request, guard);
    if (rejection) return errorAnswer(rejection.status, rejection.sentence);
    const path = request.target.split('?', 1)[0] as string;
    if (path === '/__mock') return { status: 308, headers: { location: '/__mock/' }, body: '' };
    const routes = routesAt(path);
    const route = routes.find(({ operation }) => operation.method === (request.method === 'HEAD' ? 'GET' : request.method));
    if (!route) return notFound(path, routes, request.method);
    const { operation } = route;
    const act = actions[operation.id] as (input: ControlInput) => unknown;
    return answerOf(operation, await act(new ControlInput(sandbox, read(route, request))));
  } catch (error) {
    if (error instanceof ControlError) return errorAnswer(error.status, error.message);
    if (error instanceof UnusableInput) return errorAnswer(400, error.message, error.problems);
    sandbox.defect(error, request);
    return errorAnswer(500, 'The control API has a defect; see the log.');
  }
}

/** The input of an action. What its path names is looked up when it is read. */
class ControlInput implements Resources {
  readonly sandbox: Sandbox;
  readonly path: Read['path'];
  readonly query: Read['query'];
  readonly body: unknown;

  constructor(sandbox: Sandbox, { path, query, body }: Read) {
    this.sandbox = sandbox;
    this.path = path;
    this.query = query;
    this.body = body;
  }

  get account(): Resources['account'] {
    return accountOf(this.sandbox, String(this.path.account));
  }
  get card(): Resources['card'] {
    return cardOf(this.account, String(this.path.card));
  }
  get channel(): Resources['channel'] {
    return channelOf(this.account, String(this.path.channel));
  }
  get automation(): Resources['automation'] {
    return automationOf(this.account, String(this.path.automation));
  }
}

/** Addresses of version 0.1, and what to use instead. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\/snapshots(\/|$)/, 'There are no named snapshots: GET /__mock[/accounts/{account}]/snapshot returns one, PUT restores it.'],
  [/\/drills(\/|$)/, 'Drills are faults of deliveries: use /__mock/accounts/{account}/faults.'],
  [/\/readings$/, 'Readings are called behaviors: use /__mock/behaviors or /__mock/accounts/{account}/behaviors.'],
];

function notFound(path: string, routes: readonly Route[], method: string): Answer {
  if (routes.length > 0) {
    const methods = routes.map(({ operation }) => operation.method);
    const refusal = errorAnswer(405, `${path} takes ${methods.join(' and ')}, not ${method}.`);
    return { ...refusal, headers: { ...refusal.headers, allow: methods.join(', ') } };
  }
  const [, replacement] = REPLACED.find(([pattern]) => pattern.test(path)) ?? [];
  if (replacement !== undefined) return errorAnswer(410, replacement);
  return errorAnswer(404, `The control API has no path ${path}. GET /__mock/ lists its operations.`);
}

function errorAnswer(status: number, error: string, problems?: readonly string[]): Answer {
  return json(status, problems ? { error, problems } : { error });
}

/** Throws if the reply does not match the document: that is a defect of ours. */
function answerOf({ id, status, mediaType }: Operation, reply: unknown): Answer {
  if (mediaType === undefined) return { status, headers: {}, body: '' };
  const headers = { 'content-type': `${mediaType}; charset=utf-8` };
  // Snapshots are large, and not for people to read.
  if (mediaType.endsWith('+json')) return { status, headers, body: JSON.stringify(reply) };
  if (mediaType !== 'application/json') return { status, headers, body: reply as string };
  const answer = json(status, reply);
  const valid = replies[id];
  if (valid && !valid(JSON.parse(answer.body as string))) {
    const [error] = valid.errors ?? [];
    throw new Error(`The reply of ${id} breaks the control API's document: ${error?.instancePath} ${error?.message}.`);
  }
  return answer;
}

function json(status: number, value: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: `${JSON.stringify(value, null, 2)}\n` };
}
