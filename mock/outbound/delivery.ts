import type { Topic } from '../domain/outcome.ts';
import type { Cause } from './cause.ts';
import type { Posted, ReceiverAnswer } from './post.ts';

/** What is posted: headers by name, and the text whose bytes in UTF-8 are the body. */
export interface Letter {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One post to a receiver: the delivery's own, what a drill adds or does instead, or once more by hand. */
export interface Attempt extends Letter {
  readonly kind: 'delivery' | 'drill' | 'resend';
  /** The drill's id, where one had a hand in it. */
  readonly drill: string | null;
  readonly sentAtUtc: string;
  readonly answer: ReceiverAnswer | null;
  /** Why there was no answer. */
  readonly error: string | null;
  readonly milliseconds: number;
  readonly cause: Cause;
}

/** One delivery to one webhook, from the event to the receiver's answer. */
export interface Delivery {
  readonly requestId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly topic: Topic;
  readonly giftCardId: string;
  body: string;
  readonly signed: boolean;
  readonly queuedAtUtc: string;
  readonly cause: Cause;
  /** Unknown: it was under way when a snapshot was taken that the account was put back from. */
  state: 'queued' | 'delivered' | 'failed' | 'dropped' | 'unknown';
  /** The receiver's status, or what went wrong. */
  result:
    | { readonly status: number }
    | { readonly error: string }
    | { readonly dropped: string }
    | { readonly unknown: string }
    | undefined;
  milliseconds: number | undefined;
  /** The webhook's budget after this delivery: "3 of 6 lifetime failures". */
  failures: string | undefined;
  /** Every post of it, oldest first. */
  attempts: readonly Attempt[];
}

/** Whether the receiver took it, whatever the service makes of its answer. */
export function accepted(posted: Posted): boolean {
  return 'status' in posted && posted.status >= 200 && posted.status < 300;
}

/** In letters, of what is kept of a delivery. */
export function lengthOf({ url, body, attempts }: Delivery): number {
  let length = url.length + body.length;
  for (const attempt of attempts)
    length += 250 + (attempt.answer?.body.length ?? 0) + (attempt.body === body ? 0 : attempt.body.length);
  return length;
}
