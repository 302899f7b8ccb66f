import type { Verdict } from './request-verdict.ts';
import { type DeliveryRule, needsToken } from './rules.ts';

/** A receiver's answer to one post, or why there was none. */
export interface PostAnswer {
  readonly answer: { readonly status: number } | null;
  readonly error: string | null;
}

const isAccepted = ({ answer }: PostAnswer) => answer !== null && answer.status >= 200 && answer.status < 300;
const show = ({ answer, error }: PostAnswer) => (answer ? String(answer.status) : `no answer (${error})`);

/** How the receiver handled a fault, from its answers to the posts that the fault changed or added; undefined if they do not decide it. */
export function verdictOnReceiver(fault: DeliveryRule['fault'], answers: readonly PostAnswer[]): Verdict | undefined {
  const [first] = answers;
  if (!first || (needsToken(fault) && !first.answer)) return undefined;
  const wrong = answers.find((each) => isAccepted(each) === needsToken(fault));
  if (wrong) return { verdict: 'failed', sentence: `The receiver answered ${show(wrong)} to ${EXPECTED[fault]}` };
  if (needsToken(fault)) return { verdict: 'passed', sentence: `The receiver rejected it with ${show(first)}.` };
  const twice = fault === 'duplicate' ? ' Check in its data that it acted only once.' : '';
  return { verdict: 'passed', sentence: `The receiver accepted it with ${answers.map(show).join(' and ')}.${twice}` };
}

/** What the receiver should have done. */
const EXPECTED: Readonly<Record<DeliveryRule['fault'], string>> = {
  'wrong-signature':
    'a delivery signed with another token. Compute the signature over the received bytes, compare in constant time, and answer 401 if it differs.',
  unsigned: 'a delivery without a signature although its webhook has a token. Answer 401 to it.',
  duplicate: 'a duplicate. Ignore a known RequestId, but answer 2xx: any other answer counts as one of six failures.',
  delay: 'a late delivery. Accept it, and read the card from the service if its current values matter.',
  're-serialized':
    'a correctly signed delivery with other whitespace, escapes and key order. Check the signature over the received bytes before parsing.',
};
