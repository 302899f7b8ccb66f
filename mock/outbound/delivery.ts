import type { Topic } from '../domain/outcome.ts';
import type { Count, DateTime, Url } from '../state/value-types.ts';
import type { Cause } from './cause.ts';
import type { ReceiverAnswer } from './post.ts';
import type { SignedRequest } from './signature.ts';

/** One post to a receiver: the delivery's own, one that a fault adds, or a resend by hand. */
export interface Attempt extends SignedRequest {
  readonly kind: 'delivery' | 'fault' | 'resend';
  /** The ID of the fault that changed or added it. */
  readonly fault: string | null;
  readonly sentAtUtc: DateTime;
  readonly answer: ReceiverAnswer | null;
  /** The reason if there was no answer. */
  readonly error: string | null;
  readonly milliseconds: Count;
  readonly cause: Cause;
}

/** One delivery to one webhook, from the event to the receiver's answer. */
export interface Delivery {
  readonly requestId: string;
  readonly webhookId: string;
  readonly url: Url;
  readonly topic: Topic;
  readonly giftCardId: string;
  readonly body: string;
  readonly signed: boolean;
  readonly queuedAtUtc: DateTime;
  readonly cause: Cause;
  /** `unknown`: a snapshot was taken while the delivery was under way, and the account was restored from it. */
  state: 'queued' | 'delivered' | 'failed' | 'dropped' | 'unknown';
  result:
    | { readonly status: Count }
    | { readonly error: string }
    | { readonly dropped: string }
    | { readonly unknown: string }
    | undefined;
  milliseconds: number | undefined;
  /** The failures of the webhook after this delivery: "3 of 6 lifetime failures". */
  failures: string | undefined;
  /** Oldest first. */
  attempts: readonly Attempt[];
}

/** The length of the long texts of a delivery, in characters. */
export function lengthOf({ url, body, attempts }: Delivery): number {
  let length = url.length + body.length;
  for (const attempt of attempts)
    length += 250 + (attempt.answer?.body.length ?? 0) + (attempt.body === body ? 0 : attempt.body.length);
  return length;
}

/** The delivery is never sent. */
export function drop(delivery: Delivery, why: string): void {
  delivery.state = 'dropped';
  delivery.result = { dropped: why };
}
