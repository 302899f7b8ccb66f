import type { Topic } from '../domain/outcome.ts';
import { accepted } from '../outbound/delivery.ts';
import type { Posted } from '../outbound/post.ts';
import type { Verdict } from './trial.ts';

/** What is said of one drilled delivery; `unanswered` where only an answer would have told. */
export interface Judged {
  readonly verdict: Verdict['verdict'] | 'unanswered';
  readonly sentence: string;
}

/**
 * What a receiver is tried with. `duplicate` posts the same bytes twice, `reorder` lets a webhook's next delivery overtake this one, `delay` sends
 * it late, `unusual-bytes` rightly signs the same JSON in other bytes. The others are posted before the real delivery, and are to be refused:
 * `wrong-signature`, `unsigned`, and `signed-after-parsing`, whose signature is right only for a body that was parsed and written anew.
 */
type DrillKind = 'duplicate' | 'reorder' | 'delay' | 'unusual-bytes' | 'wrong-signature' | 'unsigned' | 'signed-after-parsing';

/** What must be refused; only a webhook with a token can tell. */
export const TO_BE_REFUSED: readonly DrillKind[] = ['wrong-signature', 'unsigned', 'signed-after-parsing'];

export interface DrillRule {
  readonly drill: DrillKind;
  /** Null for all of them. */
  readonly topic: Topic | null;
  readonly webhookId: string | null;
  /** How many deliveries it is for; a reorder takes two for one. */
  readonly next: number;
  /** Of a delay, in real milliseconds, since the receiver's time is real. */
  readonly milliseconds: number;
}

/** What a receiver's answers to one drilled delivery, in the order of its posts, say about it. */
export function judge(drill: DrillKind, answers: readonly Posted[]): Judged {
  const silent = answers.find((answer) => 'error' in answer);
  if (TO_BE_REFUSED.includes(drill)) {
    if (silent)
      return { verdict: 'unanswered', sentence: `No answer (${said(silent)}), so it is tried again with the next delivery.` };
    const [answer] = answers as [Posted];
    if (accepted(answer)) return { verdict: 'failed', sentence: `Accepted with ${said(answer)} ${FALLEN_FOR[drill]}` };
    const crashed = 'status' in answer && answer.status >= 500 ? ', though it looks like a crash rather than a refusal' : '';
    return { verdict: 'passed', sentence: `Refused with ${said(answer)}${crashed}.` };
  }
  const refusal = answers.find((answer) => !accepted(answer));
  if (!refusal) return { verdict: 'passed', sentence: PASSED[drill] ?? `Accepted with ${answers.map(said).join(' and ')}.` };
  const what = 'error' in refusal ? `Gave no answer (${said(refusal)}) to` : `Answered ${said(refusal)} to`;
  return { verdict: 'failed', sentence: `${what} ${MISSED[drill]}` };
}

function said(answer: Posted): string {
  return 'status' in answer ? String(answer.status) : answer.error;
}

const COMPARE =
  'compute the signature over the bytes received, compare lengths, then compare in constant time, and answer 401 when they differ.';

const FALLEN_FOR: { readonly [kind in DrillKind]?: string } = {
  'wrong-signature': `a delivery that was signed with another token: whoever finds the address can make the receiver believe anything. Instead, ${COMPARE}`,
  unsigned: `a delivery without a signature, although its webhook has a token: leaving it out is enough to be believed. Refuse what has none.`,
  'signed-after-parsing': `a signature that fits the body only after it was parsed and written anew. Instead, ${COMPARE}`,
};

const PASSED: { readonly [kind in DrillKind]?: string } = {
  duplicate:
    'Accepted both times. Whether it acted only once is seen in its own data: discard a RequestId that was there before.',
  reorder: 'Accepted both, the later one first. Whether the older one changed anything back is seen in its own data.',
};

const MISSED: { readonly [kind in DrillKind]?: string } = {
  duplicate:
    'a delivery that came twice. Discard what has a known RequestId, but answer 2xx: anything else is one of six failures.',
  reorder:
    'one of two deliveries that came in the wrong order. Accept both, and ask the service for the card as it is now where that matters.',
  delay: 'a delivery that came late. Accept it, and ask the service for the card as it is now where that matters.',
  'unusual-bytes':
    'a rightly signed delivery with other blanks, escapes and order of keys. Check the signature over the bytes received, before any parsing, and read the JSON with a parser.',
};
