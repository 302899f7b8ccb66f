import { decoded } from '../decoded.ts';
import type { Answer, ServiceRequest } from '../exchange.ts';
import { LARGEST_BODY } from '../http.ts';
import type { Sandbox } from '../sandbox.ts';
import { version } from '../version.ts';
import type { Account as AccountDescription } from '../world-file/description.ts';
import { keyFor } from '../world-file/fill.ts';
import { defaultWorld } from '../world-file/generated/default-world.ts';
import { withSampleCards } from '../world-file/samples.ts';
import { WorldFileError } from '../world-file/world-file-error.ts';
import { allowanceOf, channelsOf, describe, suppressedOf, timelineOf, withoutMoment } from './account-views.ts';
import { ControlError } from './control-error.ts';
import { adjustInDashboard } from './dashboard.ts';
import { document, html, javascript, json, referencePage, referenceRenderer, yamlDocument } from './documents.ts';
import { type Guard, objection } from './guard.ts';

type Route = (sandbox: Sandbox, request: ServiceRequest, id: string) => Answer | Promise<Answer>;

/** What the second door does. `{id}` is an account's. */
const routes: readonly (readonly [method: string, path: string, route: Route])[] = [
  ['GET', '/__mock/', () => json(200, { paths: paths() })],
  ['GET', '/__mock/health', (sandbox) => json(200, health(sandbox))],
  ['POST', '/__mock/reset', (sandbox) => reset(sandbox)],
  ['GET', '/__mock/openapi.json', () => document()],
  ['GET', '/__mock/openapi.yaml', () => yamlDocument()],
  ['GET', '/__mock/reference', async () => html(await referencePage())],
  ['GET', '/__mock/redoc.standalone.js', async () => javascript(await referenceRenderer())],
  ['GET', '/__mock/accounts', (sandbox) => json(200, Array.from(sandbox.accounts.values(), describe))],
  ['POST', '/__mock/accounts', addAccount],
  ['GET', '/__mock/accounts/{id}', (sandbox, _, id) => json(200, describe(account(sandbox, id)))],
  ['GET', '/__mock/accounts/{id}/allowance', (sandbox, _, id) => json(200, allowanceOf(account(sandbox, id)))],
  ['GET', '/__mock/accounts/{id}/outbox', (sandbox, _, id) => json(200, account(sandbox, id).outbox.emails().map(withoutMoment))],
  [
    'GET',
    '/__mock/accounts/{id}/deliveries',
    (sandbox, _, id) => json(200, account(sandbox, id).deliveries.all().map(withoutMoment)),
  ],
  ['GET', '/__mock/accounts/{id}/suppressed', (sandbox, _, id) => json(200, suppressedOf(account(sandbox, id)))],
  ['GET', '/__mock/accounts/{id}/channels', (sandbox, _, id) => json(200, channelsOf(account(sandbox, id)))],
  [
    'POST',
    '/__mock/accounts/{id}/adjustments',
    (sandbox, { body }, id) => json(200, adjustInDashboard(account(sandbox, id), read(body))),
  ],
  ['GET', '/__mock/accounts/{id}/timeline', (sandbox, { target }, id) => json(200, timeline(sandbox, target, id))],
];

/** Whether a request is for the control door and not for the service. */
export function isForControl({ target }: ServiceRequest): boolean {
  return target.startsWith('/__mock/') || target === '/__mock';
}

/** Answers at the control door; bad input gets one sentence and changes nothing. */
export async function control(sandbox: Sandbox, request: ServiceRequest, guard: Guard): Promise<Answer> {
  try {
    const refusal = objection(request, guard);
    if (refusal) throw new ControlError(refusal.status, refusal.sentence);
    const path = request.target.split('?', 1)[0] as string;
    const matching = routes.flatMap(([method, template, route]) => {
      const id = matched(template, path);
      return id === undefined ? [] : [{ method, route, id }];
    });
    if (matching.length === 0)
      throw new ControlError(404, `The control door has nothing at ${path}. GET /__mock/ lists what it has.`);
    const found = matching.find(({ method }) => method === (request.method === 'HEAD' ? 'GET' : request.method));
    if (!found) {
      const methods = matching.map(({ method }) => method);
      const refusal = json(405, { error: `${path} takes ${methods.join(' and ')}, not ${request.method}.` });
      return { ...refusal, headers: { ...refusal.headers, allow: methods.join(', ') } };
    }
    return await found.route(sandbox, request, found.id);
  } catch (error) {
    if (error instanceof ControlError) return json(error.status, { error: error.message });
    if (error instanceof WorldFileError) return json(400, { error: error.message, problems: error.problems });
    sandbox.defect(error, request);
    return json(500, { error: 'The control door has a defect; the log says more.' });
  }
}

/** The account's id in the path, an empty text where the template names none, undefined when the path is another. */
function matched(template: string, path: string): string | undefined {
  if (!template.includes('{id}')) return template === path ? '' : undefined;
  const [before, after] = template.split('{id}') as [string, string];
  if (!path.startsWith(before) || !path.endsWith(after) || path.length <= before.length + after.length) return undefined;
  const id = path.slice(before.length, path.length - after.length);
  return id.includes('/') ? undefined : decoded(id);
}

function paths(): readonly string[] {
  return routes.map(([method, path]) => `${method} ${path}`);
}

function health(sandbox: Sandbox) {
  const { defects, seed, accounts } = sandbox;
  return { status: defects.length === 0 ? 'ok' : 'defective', version, seed, accounts: accounts.size, defects };
}

function reset(sandbox: Sandbox): Answer {
  sandbox.reset();
  return json(200, health(sandbox));
}

function account(sandbox: Sandbox, id: string) {
  const found = sandbox.accounts.get(id);
  if (!found)
    throw new ControlError(404, `There is no account ${id}. There are ${[...sandbox.accounts.keys()].slice(0, 10).join(', ')}.`);
  return found;
}

/** Makes an account from the body's description, or one like the default world's first. */
async function addAccount(sandbox: Sandbox, { body }: ServiceRequest): Promise<Answer> {
  const given = read(body);
  const { resets } = sandbox;
  const id = sandbox.nextId();
  const description =
    given === undefined
      ? { ...firstOfDefault(), id, keys: [keyFor(id)] }
      : (await import('../world-file/read.ts')).accountOf(given, id);
  mustBeWelcome(sandbox, description);
  const whole = await withSampleCards(description, sandbox.seed);
  mustBeWelcome(sandbox, description); // Another request may have made it meanwhile.
  if (sandbox.resets !== resets) throw new ControlError(409, 'The sandbox was reset meanwhile; ask for the account again.');
  return json(201, describe(sandbox.add(whole)));
}

function mustBeWelcome(sandbox: Sandbox, description: AccountDescription): void {
  const objection = sandbox.objectionTo(description);
  if (objection !== undefined) throw new ControlError(409, objection);
}

function firstOfDefault() {
  const [first] = defaultWorld.accounts;
  if (!first) throw new Error('The default world has no account.');
  return first;
}

function read(body: ServiceRequest['body']): object | undefined {
  if (body === 'too large') throw new ControlError(413, `The body is larger than ${LARGEST_BODY} bytes; send a smaller one.`);
  if (!body || body.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new ControlError(
      400,
      `The body is not JSON: ${(error as Error).message}. Send a description of an account, or nothing.`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ControlError(400, 'The body must be a JSON object that describes an account, or be left out.');
  }
  return Object.keys(value).length === 0 ? undefined : value;
}

function timeline(sandbox: Sandbox, target: string, id: string) {
  const cardId = new URLSearchParams(target.split('?')[1] ?? '').get('giftCardId');
  if (cardId === null) throw new ControlError(400, 'The timeline is of one card: add ?giftCardId= and the id of the card.');
  const holder = account(sandbox, id);
  if (!holder.state.card(cardId)) throw new ControlError(404, `The account ${id} has no gift card with the id ${cardId}.`);
  return timelineOf(holder, cardId);
}
