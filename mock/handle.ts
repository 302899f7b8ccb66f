import { admit, identify, type KeyHolder } from './admit.ts';
import type { Contract, Input, Operation } from './contract.ts';
import type { Cause } from './effects/cause.ts';
import type { Answer, ServiceRequest } from './exchange.ts';
import type { Strike } from './faults/faults.ts';
import { answerOf } from './faults/spoil.ts';
import { operations } from './operations/operations.ts';
import { usedCard } from './operations/used-card.ts';
import { problems } from './problems.ts';
import { type Refusal, refuse, refused } from './refusal.ts';
import { carryOut, settle, settleUsed } from './settle.ts';

/** What the line needs of the sandbox around it. */
export interface Service {
  /** As it is spoken to those whose account is not known. */
  readonly contract: Contract;
  readonly keyHolders: ReadonlyMap<string, KeyHolder>;
  /** Told of every defect of ours, which the caller sees as 500 and nothing more. */
  defect(error: unknown, request: ServiceRequest): void;
}

/** An answer, with whose it was, how far the request came and the refusal behind it, for log and journal. */
export interface Handled {
  readonly answer: Answer;
  readonly holder: KeyHolder | undefined;
  readonly refusal: Refusal | undefined;
  readonly operation: Operation | undefined;
  /** Once the contract has read it. */
  readonly input: Input | undefined;
  /** Of what was carried out; a refusal causes nothing. */
  readonly cause: Cause | undefined;
  /** What was set at the control door to go wrong with this call. */
  readonly fault: Strike | undefined;
}

/**
 * The way of every request through the service, from top to bottom, without a pause: what is refused first wins
 * (http.order.size-or-key, http.order.key-or-limit, http.order.limit-or-request, http.order.request-or-record,
 * http.unknown-path-without-key), and leaves before anything has changed (errors.refusal-changes-nothing, idempotency.refused-request).
 * Nothing else runs in between, so requests that come at once are decided one after another (idempotency.create.parallel-makes-one,
 * idempotency.adjustment.parallel-counts-once, adjustment.parallel-all-count).
 */
export function handle(service: Service, request: ServiceRequest): Handled {
  const identified = identify(service.keyHolders, request);
  const holder = refused(identified) ? undefined : identified;
  const contract = holder?.account.contract ?? service.contract;
  const found = contract.find(request.method, request.target);
  const operation = refused(found) ? undefined : found.operation;
  let fault: Strike | undefined;
  const ended = (answer: Answer, refusal?: Refusal, input?: Input, cause?: Cause): Handled => ({
    answer,
    holder,
    refusal,
    operation,
    input,
    cause,
    fault,
  });
  const no = (refusal: Refusal, input?: Input): Handled => ended(answerTo(refusal), refusal, input);
  // errors.every-rejection-plain-text, as the contract has it; errors.rejection-charset
  const answerTo = (refusal: Refusal): Answer => {
    const { status, mediaType } = contract.answerTo(refusal.code, operation);
    const headers: Record<string, string> = { 'content-type': `${mediaType}; charset=utf-8` };
    if (refusal.code === 'operation.method-not-allowed') headers.allow = contract.methodsOf(request.target).join(', ');
    return { status, headers, body: problems[refusal.code].text(refusal.about) };
  };

  try {
    if (request.body === 'too large') return no(refuse('request.too-large'));
    if (refused(identified)) return no(identified);
    const { account, key } = identified;
    const now = account.clock.now();
    const refusal = admit(identified, now);
    if (refusal) return no(refusal);
    settle(account, now);
    if (refused(found)) return no(found);
    const input = contract.read(found, request);
    if (refused(input)) return no(input);
    fault = account.faults?.strike(found.operation.id, input, now);
    if (fault?.rule.when === 'before')
      return fault.rule.fault === 'rate-limit' ? no(refuse('rate.exceeded'), input) : ended(answerOf(fault), undefined, input);
    if (account.readings['gift-card.expiry.when-noticed'] === 'next-use')
      settleUsed(account, usedCard(found.operation.id, input, account.state), now);
    const outcome = operations[found.operation.id](input, account.context(now, key.description));
    if (refused(outcome)) return no(outcome, input);
    const { text: body, bytes } = contract.check(found.operation, outcome.reply);
    const cause = account.cause('request', found.operation.id, now);
    carryOut(account, outcome, cause);
    // A creation too (gift-card.create.answers-200, adjustment.answers-200, webhook.create.answers-200).
    return ended({ status: 200, headers: JSON_HEADERS, body, bytes }, undefined, input, cause);
  } catch (error) {
    service.defect(error, request);
    return ended(DEFECT);
  }
}

// http.cross-origin: no header lets a page of another origin in. http.version-headers: none is read but the key's.
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };
const DEFECT: Answer = {
  status: 500,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'The sandbox has a defect; its log says more.',
};
