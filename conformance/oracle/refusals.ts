import type { Call } from './call.ts';
import type { Findings } from './findings.ts';

/** Statuses of refusals because of the key, the plan, the form of the request or the rate. */
const otherRefusals = new Set([401, 402, 403, 405, 406, 408, 411, 413, 414, 415, 429, 431]);

/** Whether a refusal with this status is about the card or the values of the request. */
export const isStateRefusal = (status: number): boolean => status >= 400 && status < 500 && !otherRefusals.has(status);

/** A rejection for a reason that the specification names has a message in plain text. */
export function checkMessage({ span, status, answer, answerBody, contentType }: Call, findings: Findings): void {
  if (status !== 400 || answerBody === 'unread') return;
  const isStructured = typeof answer === 'object' && answer !== null;
  if (isStructured || answerBody === 'empty' || /json|html|xml/i.test(contentType))
    findings.violated(
      'errors.rejection-is-400-plain-text',
      `A rejection has ${answerBody === 'empty' ? 'no message' : 'a structured body'} instead of a message in plain text.`,
      span.n,
    );
  else findings.holds('errors.rejection-is-400-plain-text');
}
