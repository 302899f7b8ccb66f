import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Account, UniqueUse } from './account.ts';
import { type Call, type Fields, textIn } from './call.ts';
import type { Findings } from './findings.ts';

/** Statuses of refusals because of the key, the plan, the form of the request or the rate. */
const otherRefusals = new Set([401, 402, 403, 405, 406, 408, 411, 413, 414, 415, 429, 431]);

/** Whether a refusal with this status is about the card or the values of the request. */
export const isStateRefusal = (status: number): boolean => status >= 400 && status < 500 && !otherRefusals.has(status);

/** The service rejects a repeat of the same request with 400 and a message. It may reject one with other content for another reason. */
export function checkRejection(call: Call, account: Account, before: UniqueUse, clause: ClauseName, findings: Findings): void {
  const { span, operation, status, request } = call;
  const unique = textIn(request?.uniqueId ?? request?.uniqueAdjustmentId) ?? '';
  // The service may refuse a third request because the second is still under way.
  const isSecond = (account.timesSent.get(unique) ?? 0) <= 2;
  const isSameRequest = isSecond && before.operation === operation && before.request === JSON.stringify(request);
  if (status === 400) {
    findings.addHeld(clause);
    if (isSameRequest) checkMessage(call, findings);
  } else if (isSameRequest && isStateRefusal(status))
    findings.addPossible(
      clause,
      `A repeat of exchange ${before.span.n} was refused with ${status} instead of 400.`,
      ...[before.span.n, span.n],
    );
}

/** A rejection for a reason that the specification names has a message in plain text. */
function checkMessage({ span, status, answer, answerBody, contentType }: Call, findings: Findings): void {
  if (status !== 400 || answerBody === 'unread') return;
  const isStructured = (typeof answer === 'object' && answer !== null) || /json|html|xml/i.test(contentType);
  findings.checkPossible(
    !isStructured && answerBody !== 'empty',
    'errors.rejection-is-400-plain-text',
    `A rejection has ${answerBody === 'empty' ? 'no message' : 'a structured body'} instead of a message in plain text.`,
    span.n,
  );
}

const isGifted = ({ sendAsGift, shouldSendNotification }: Fields) => sendAsGift === true && shouldSendNotification === true;

interface Requirement {
  readonly field: string;
  readonly clause: ClauseName;
  readonly applies: (request: Fields) => boolean;
}

/** The required fields. The key is the start of the operation's name. */
const requirements: Readonly<Record<string, readonly Requirement[]>> = {
  addAdjustment: [
    { field: 'actionedAtUtc', clause: 'adjustment.requires-actioned-at', applies: () => true },
    { field: 'uniqueAdjustmentId', clause: 'adjustment.requires-unique-id', applies: () => true },
  ],
  createGiftCard: [
    { field: 'recipientName', clause: 'gift-card.create.gifted-needs-recipient-name', applies: isGifted },
    { field: 'buyerName', clause: 'gift-card.create.gifted-needs-buyer-name', applies: isGifted },
  ],
};

/** The service rejects a request without a required field. */
export function checkRequired(call: Call, findings: Findings): void {
  const { span, operation, request, outcome, status, isAmbiguous } = call;
  if (!request || isAmbiguous) return;
  const own = Object.entries(requirements).flatMap(([start, each]) => (operation.startsWith(start) ? each : []));
  const missing = own.filter(({ applies, field }) => applies(request) && !hasField(request, field));
  for (const { field, clause } of missing) {
    if (outcome === 'accepted') findings.addViolation(clause, `A request without ${field} was accepted.`, span.n);
    // Another status may be for another reason.
    else if (status === 400) findings.addHeld(clause);
  }
}

/** Equal for camelCase, PascalCase and snake_case: which spellings a service reads is open. */
export const plainName = (name: string) => name.replaceAll('_', '').toLowerCase();

const hasField = (request: Fields, field: string): boolean =>
  (request[field] ?? undefined) !== undefined ||
  Object.keys(request).some((name) => name !== field && plainName(name) === plainName(field));
