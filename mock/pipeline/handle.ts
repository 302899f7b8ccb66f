import type { KeyHolder } from '../account/keys.ts';
import type { Input } from '../contract/contract.ts';
import { toOptions } from '../contract/parse/options.ts';
import { missingRecord } from '../contract/parse/record.ts';
import type { Found } from '../contract/paths.ts';
import { rejection } from '../contract/render/rejection.ts';
import { answerOf } from '../faults/break-answer.ts';
import type { StruckRequest } from '../faults/faults.ts';
import { operations } from '../operations/operations.ts';
import { usedCard } from '../operations/used-card.ts';
import type { Cause } from '../outbound/cause.ts';
import { identify } from './authenticate.ts';
import { carryOut, leave, settle, settleUsed } from './commit.ts';
import { mannerOf } from './compiled-behaviors.ts';
import type { Asked, Handled, Service } from './context.ts';
import { type Answer, DEFECT, type ServiceRequest } from './exchange.ts';
import { counts, windowOf } from './precedence.ts';
import { problems } from './problems.ts';
import { type Refusal, refuse, refused } from './refusal.ts';

/**
 * The way of every request through the service, from top to bottom, without a pause: what is refused first wins (order.ts says what comes first),
 * and leaves before anything has changed (errors.refusal-changes-nothing), but for what a reading of idempotency.refused-request has it leave.
 * Nothing else runs in between, so requests that come at once are decided one after another (idempotency.create.parallel-makes-one,
 * idempotency.adjustment.parallel-counts-once, adjustment.parallel-all-count, adjustment.by-id.parallel-never-overdraws).
 */
export function handle(service: Service, request: ServiceRequest): Handled {
  const identified = identify(service.keyHolders, request);
  const holder = refused(identified) ? undefined : identified;
  const { contract, behaviors, clock } = holder?.account ?? service;
  const found = contract.find(request.method, request.target, behaviors);
  const operation = refused(found) ? undefined : found.operation;
  const now = clock.now();
  const { order, asking, dress, form } = mannerOf(behaviors);
  const asked: Asked = { service, request, identified, holder, contract, behaviors, asking, now, found, input: undefined };
  let fault: StruckRequest | undefined;
  const ended = (answer: Answer, refusal?: Refusal, cause?: Cause): Handled => {
    if (counts(behaviors, refusal)) windowOf(asked).take(now);
    return { answer: dress ? dress(answer, asked) : answer, holder, refusal, operation, input: asked.input, cause, fault };
  };
  const no = (first: Refusal): Handled => {
    const refusal = missingRecord(first, asked) ?? first; // http.order.request-or-record
    return ended(answerTo(refusal, asked), refusal);
  };

  try {
    const options = toOptions(asked);
    if (options) return ended(options);
    for (const step of order) {
      const refusal = step(asked);
      if (refusal) return no(refusal);
    }
    // Whoever comes here is known, and what is asked for can be understood.
    const { account, key } = identified as KeyHolder;
    const { id } = (found as Found).operation;
    const input = asked.input as Input;
    settle(account, now);
    fault = account.faults?.strikeRequest(id, input, now);
    if (fault?.rule.when === 'before')
      return fault.rule.fault === 'rate-limit' ? no(refuse('rate.exceeded')) : ended(answerOf(fault));
    if (behaviors['gift-card.expiry.when-noticed'] === 'next-use') settleUsed(account, usedCard(id, input, account), now);
    const context = account.context(now, key.description);
    const outcome = service.seams.decide?.(id, input, context, operations[id]) ?? operations[id](input, context);
    if (refused(outcome)) return no(leave(account, outcome, (found as Found).operation, now));
    const { status, headers } = (found as Found).operation.success;
    const { text: body, bytes } = contract.check((found as Found).operation, form ? form(outcome.reply) : outcome.reply);
    const cause = account.cause('request', id, now);
    carryOut(account, outcome, cause);
    // A creation too (gift-card.create.answers-200, adjustment.answers-200, webhook.create.answers-200).
    return ended({ status, headers, body, bytes }, undefined, cause);
  } catch (error) {
    service.defect(error, request);
    return ended(DEFECT);
  }
}

function answerTo(refusal: Refusal, { contract, behaviors, request, found }: Asked): Answer {
  const { code, about, others } = refusal;
  const answer = contract.answerTo(code, refused(found) ? undefined : found.operation);
  const { status, mediaType } = answer;
  const isJson = code === 'request.invalid' && behaviors['errors.every-rejection-plain-text'] === 'json';
  const body = isJson ? rejection(refusal, answer) : answer.body(problems[code].text([about, ...others].join('; ')));
  const headers: Record<string, string> = mediaType === undefined ? {} : { 'content-type': `${mediaType}; charset=utf-8` };
  if (code === 'operation.method-not-allowed' && behaviors['http.wrong-method-allow-header'] === 'named')
    headers.allow = contract.methodsOf(request.target, behaviors).join(', ');
  return { status, headers, body };
}
