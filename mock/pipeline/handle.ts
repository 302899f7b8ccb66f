import type { OperationId } from '../../openapi/generated/validators.js';
import type { Input, ServiceOperation } from '../contract/contract.ts';
import type { FieldErrors } from '../contract/render/refusals.ts';
import type { Route } from '../contract/router.ts';
import type { Context, Outcome } from '../domain/outcome.ts';
import { answerOf } from '../faults/break-answer.ts';
import type { StruckRequest } from '../faults/faults.ts';
import { operations } from '../operations/operations.ts';
import type { Cause } from '../outbound/cause.ts';
import { LARGEST_BODY } from '../server/http.ts';
import { authorize, identify } from './authenticate.ts';
import { commit, runDueEvents } from './commit.ts';
import type { HandledRequest, RequestContext, Service } from './context.ts';
import { type Answer, DEFECT, type ServiceRequest } from './exchange.ts';
import { problems } from './problems.ts';
import { inNames, type Refusal, refuse, refused } from './refusal.ts';

/**
 * The path of every request through the service, from top to bottom, without a pause. The order of the lines is the precedence of refusals
 * (http.order.size-or-key, http.order.key-or-limit, http.order.limit-or-request, http.order.request-or-record), and a refusal changes nothing
 * (errors.refusal-changes-nothing) unless idempotency.refused-request says so.
 * Nothing else runs in between, so parallel requests are decided one after another (idempotency.create.parallel-makes-one,
 * idempotency.adjustment.parallel-counts-once, adjustment.parallel-all-count, adjustment.by-id.parallel-never-overdraws).
 */
export function handle(service: Service, request: ServiceRequest): HandledRequest {
  const context = contextOf(service, request);
  const { holder, contract, route, now } = context;
  let input: Input | undefined;
  let fault: StruckRequest | undefined;
  const end = (answer: Answer, refusal?: Refusal, cause?: Cause): HandledRequest => {
    const operation = isRoute(route) ? route.operation : undefined;
    return { answer, holder, refusal, operation, input, cause, fault };
  };
  const no = (refusal: Refusal): HandledRequest => end(answerTo(refusal, context), refusal);

  try {
    if (isTooLarge(request)) return no(refuse('request.too-large'));

    if (!holder) return no(context.identified as Refusal);
    const { account, key } = holder;
    const unauthorized = authorize(holder);
    if (unauthorized) return no(unauthorized);
    if (!account.rate.admit(now, context.behaviors)) return no(refuse('rate.exceeded'));

    runDueEvents(account, now);

    if (!isRoute(route)) return no(noRoute(route, request.method));
    const { operation } = route;
    const parsed = contract.parse(route, request);
    if (refused(parsed)) return no(parsed);
    input = parsed;

    fault = account.faults?.strikeRequest(operation.id, input, now);
    if (fault?.rule.fault === 'rate-limit') {
      account.rate.refuse(context.behaviors);
      return no(refuse('rate.exceeded'));
    }
    if (fault?.rule.when === 'before') return end(answerOf(fault));

    const decision = decide(service, operation.id, input, account.context(now, key.description));
    if (refused(decision)) {
      const { changes } = decision;
      if (changes.length > 0)
        commit(account, { reply: undefined, changes, effects: [] }, account.cause('request', operation.id, now));
      return no(inNames(decision, operation.names));
    }

    const { status, headers } = operation.success;
    const { text: body, bytes } = contract.check(operation, account.jsonFormat?.(decision.reply) ?? decision.reply);

    // A reply that breaks the contract threw above, before anything changed. The effects are queued and leave after the answer.
    const cause = account.cause('request', operation.id, now);
    commit(account, decision, cause);
    // Creations too are answered with 200 (gift-card.create.answers-200, adjustment.answers-200, webhook.create.answers-200).
    return end({ status, headers, body, bytes }, undefined, cause);
  } catch (error) {
    service.defect(error, request);
    return end(DEFECT);
  }
}

function contextOf(service: Service, request: ServiceRequest): RequestContext {
  const identified = identify(service.keyHolders, request);
  const holder = refused(identified) ? undefined : identified;
  const { contract, behaviors, clock } = holder?.account ?? service;
  const route = contract.find(request.method, request.target);
  return { request, identified, holder, contract, behaviors, now: clock.now(), route };
}

type Decide = (input: Input, context: Context) => Outcome<unknown> | Refusal;

/** The contract has checked the input, so it has the types of the operation. */
function decide({ seams }: Service, id: OperationId, input: Input, context: Context): Outcome<unknown> | Refusal {
  const operation = operations[id] as Decide;
  return seams.decide ? seams.decide(id, input, context, operation) : operation(input, context);
}

/** http.body-size-limit */
function isTooLarge({ body }: ServiceRequest): boolean {
  return body === 'too large' || (body !== undefined && body.length > LARGEST_BODY);
}

function isRoute(route: RequestContext['route']): route is Route<ServiceOperation> {
  return 'operation' in route;
}

/** http.options: OPTIONS is answered like an unknown path. */
function noRoute(methods: readonly string[], method: string): Refusal {
  const isUnknown = methods.length === 0 || method === 'OPTIONS';
  return isUnknown ? refuse('operation.unknown-path') : refuse('operation.method-not-allowed', method);
}

function answerTo({ code, about }: Refusal, { contract, behaviors, route, holder, now }: RequestContext): Answer {
  const { status, mediaType, body } = contract.answerTo(code, isRoute(route) ? route.operation : undefined);
  const headers: Record<string, string> = mediaType === undefined ? {} : { 'content-type': `${mediaType}; charset=utf-8` };
  if (code === 'operation.method-not-allowed' && !isRoute(route)) headers.allow = route.join(', '); // http.wrong-method-allow-header
  if (code === 'rate.exceeded' && behaviors['limits.retry-after'] === 'seconds')
    headers['retry-after'] = String(Math.ceil((holder?.account.rate.until(now) ?? 0) / 1000));
  const asFields = code === 'request.invalid' && behaviors['errors.every-rejection-plain-text'] === 'json';
  return { status, headers, body: body(problems[code].text(about), asFields ? fieldOf(about) : undefined) };
}

/** errors.every-rejection-plain-text: the reason begins with the name of its field. */
function fieldOf(about: string): FieldErrors {
  const end = about.indexOf(' ');
  return { [about.slice(0, end)]: [about.slice(end + 1)] };
}
