import type { OperationId } from '../../openapi/generated/validators.js';
import type { Account } from '../account/account.ts';
import type { KeyHolder } from '../account/accounts.ts';
import { elapsed } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { Input, ServiceOperation } from '../contract/contract.ts';
import type { FieldErrors } from '../contract/render/refusals.ts';
import type { Route } from '../contract/router.ts';
import type { Context, Outcome } from '../domain/outcome.ts';
import { responseOf, withFault } from '../faults/break-response.ts';
import type { MatchedRequest } from '../faults/faults.ts';
import { NO_CHANGES } from '../journal/change-summary.ts';
import { operations } from '../operations/operations.ts';
import type { Cause } from '../outbound/cause.ts';
import { authorize, identify } from './authenticate.ts';
import { catchUp, commit, lockAccount, runDueEvents } from './commit.ts';
import { DEFECT, LARGEST_BODY, type ServiceRequest, type ServiceResponse } from './exchange.ts';
import type { HandledRequest } from './handled-request.ts';
import { problems } from './problems.ts';
import { inWireNames, isRefused, type Refusal, refuse } from './refusal.ts';

/** A request without a known key gets the variant and the time of the sandbox. */
type Service = Pick<Sandbox, 'accounts' | 'variant' | 'clock' | 'defect' | 'journal' | 'log'>;

/** Handles a request. If many events of its account are due, the request waits until they have run, as do later requests of the account. */
export function serve(service: Service, request: ServiceRequest): HandledRequest | Promise<HandledRequest> {
  const owner = identify(service.accounts.keyHolders, request);
  const waiting = isRefused(owner) ? undefined : (catchUp(owner.account) ?? sourcesOf(owner.account, request));
  return waiting ? waiting.then(() => serve(service, request)) : serveNow(service, request, owner);
}

/** Handles a request, then records the request, its changes and its response. */
export function serveNow(
  service: Service,
  request: ServiceRequest,
  owner = identify(service.accounts.keyHolders, request),
): HandledRequest {
  const started = elapsed();
  const handled = withFault(handle(service, request, owner));
  const milliseconds = elapsed() - started;
  record(service, request, handled, milliseconds);
  service.log.request(request, handled, milliseconds, service.accounts.keyHolders.redactor);
  return handled;
}

/**
 * Handles a request to the service. The order of the checks in this function is the precedence of refusals
 * (http.order.size-or-key, http.order.key-or-limit, http.order.limit-or-request, http.order.request-or-record). A refusal changes nothing
 * (errors.refusal-changes-nothing), unless the option of idempotency.refused-request requires a change.
 *
 * The function is synchronous, so parallel requests are decided one after another (idempotency.create.parallel-makes-one,
 * idempotency.adjustment.parallel-counts-once, adjustment.parallel-all-count, adjustment.by-id.parallel-never-overdraws).
 */
function handle(service: Service, request: ServiceRequest, identified: KeyHolder | Refusal): HandledRequest {
  const context = contextOf(service, request, identified);
  const { contract, behaviors, now, route } = context;
  const accountId = isRefused(identified) ? undefined : identified.account.id;
  const operation = isRoute(route) ? route.operation : undefined;
  let input: Input | undefined;
  let fault: MatchedRequest | undefined;
  let cause: Cause | undefined;
  let touched = NO_CHANGES;
  const respond = (response: ServiceResponse, refusal?: Refusal): HandledRequest => {
    return { response, at: now, accountId, refusal, operation, input, cause, touched, fault };
  };
  const reject = (refusal: Refusal): HandledRequest => respond(responseTo(refusal, context), refusal);

  try {
    if (isTooLarge(request)) return reject(refuse('request.too-large'));

    if (isRefused(identified)) return reject(identified);
    const { account, key } = identified;
    const unauthorized = authorize(identified);
    if (unauthorized) return reject(unauthorized);
    if (!account.rate.admit(now, behaviors)) return reject(refuse('rate.exceeded'));

    // `serve` has run those of the time at which the request came. A later millisecond may have others.
    runDueEvents(account, now);

    if (!isRoute(route)) return reject(withoutRoute(route, request.method));
    const { id, names, success } = route.operation;
    const parsed = contract.parse(route, request);
    if (isRefused(parsed)) return reject(parsed);
    input = parsed;

    fault = account.faults?.matchRequest(id, input, now);
    if (fault?.rule.fault === 'rate-limit') {
      account.rate.uncount(behaviors);
      return reject(refuse('rate.exceeded'));
    }
    if (fault?.rule.when === 'before') return respond(responseOf(fault));

    const decision = decide(id, input, account.context(now, key.description));
    if (isRefused(decision)) {
      const { changes } = decision;
      if (changes.length > 0) {
        cause = account.journal.cause('request', id, now);
        touched = commit(account, { changes, effects: [] }, cause);
      }
      return reject(inWireNames(decision, names));
    }

    // A response that violates the contract throws here, and a card already in its operation, before anything has changed.
    const { text: body, bytes } = contract.check(
      route.operation,
      account.renderer.format?.(decision.response) ?? decision.response,
    );

    // The commit only queues the effects. They leave in a later turn of the event loop.
    cause = account.journal.cause('request', id, now);
    touched = commit(account, decision, cause);
    // A creation returns 200 (gift-card.create.returns-200, adjustment.returns-200, webhook.create.returns-200).
    return respond({ status: success.status, headers: success.headers, body, bytes });
  } catch (error) {
    service.defect(error, request);
    return respond(DEFECT);
  }
}

function contextOf(service: Service, request: ServiceRequest, identified: KeyHolder | Refusal) {
  const { variant, clock } = isRefused(identified) ? service : identified.account;
  const { contract, behaviors } = variant;
  const route = contract.find(request.method, request.target);
  return { identified, contract, behaviors, now: clock.now(), route };
}

/** The values that are known before the first check. */
type RequestContext = ReturnType<typeof contextOf>;

function decide(id: OperationId, input: Input, context: Context): Outcome<unknown> | Refusal {
  // The contract has checked that the input has the types of the operation.
  const operation = operations[id] as (input: Input, context: Context) => Outcome<unknown> | Refusal;
  return operation(input, context);
}

/** http.body-size-limit */
function isTooLarge({ body }: ServiceRequest): boolean {
  return body === 'too large' || (body !== undefined && body.length > LARGEST_BODY);
}

function isRoute(route: RequestContext['route']): route is Route<ServiceOperation> {
  return 'operation' in route;
}

/** Returns the refusal of an unknown path or method. An unknown path has no methods. OPTIONS counts as an unknown path (http.options). */
function withoutRoute(methods: readonly string[], method: string): Refusal {
  const isUnknown = methods.length === 0 || method === 'OPTIONS';
  return isUnknown ? refuse('operation.unknown-path') : refuse('operation.method-not-allowed', method);
}

function responseTo({ code, about }: Refusal, { contract, behaviors, route, identified, now }: RequestContext): ServiceResponse {
  const { status, mediaType, body } = contract.responseTo(code, isRoute(route) ? route.operation : undefined);
  const headers: Record<string, string> = mediaType === undefined ? {} : { 'content-type': `${mediaType}; charset=utf-8` };
  if (code === 'operation.method-not-allowed' && !isRoute(route)) headers.allow = route.join(', '); // http.wrong-method-allow-header
  if (code === 'rate.exceeded' && behaviors['limits.retry-after'] === 'seconds' && !isRefused(identified))
    headers['retry-after'] = String(Math.ceil(identified.account.rate.until(now) / 1000));
  const hasFields = code === 'request.invalid' && behaviors['errors.every-rejection-plain-text'] === 'json';
  return { status, headers, body: body(problems[code].text(about), hasFields ? fieldErrors(about) : undefined) };
}

/** errors.every-rejection-plain-text: the reason begins with the name of its field. */
function fieldErrors(about: string): FieldErrors {
  const end = about.indexOf(' ');
  return { [about.slice(0, end)]: [about.slice(end + 1)] };
}

/** Records a request in a journal. If the recording fails, the client still gets its response. */
function record(service: Service, request: ServiceRequest, handled: HandledRequest, milliseconds: number): void {
  try {
    const account = service.accounts.get(handled.accountId ?? '');
    const { journal } = account ?? service;
    const cause = handled.cause ?? journal.cause('request', '', handled.at);
    journal.exchanged(request, handled, cause, milliseconds, account?.state);
  } catch (error) {
    service.defect(error, request);
  }
}

/** Builds the index for a search by source ID. For a small account, the search itself builds the index. */
function sourcesOf(account: Account, { target }: ServiceRequest): Promise<void> | undefined {
  const { state, effects } = account;
  const isSearch = !effects.stopped && !state.hasSources && target.includes('SourceId') && state.count(true) > 10_000;
  if (!isSearch) return undefined;
  return lockAccount(account, state.indexSources()).catch((error) => {
    if (!effects.stopped) throw error; // The account was replaced. Then the request is for the new account.
  });
}
