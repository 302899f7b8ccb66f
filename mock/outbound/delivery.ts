import type { Topic } from '../domain/outcome.ts';
import type { Count, DateTime, Url } from '../state/value-types.ts';
import type { Cause } from './cause.ts';
import type { HttpResponse } from './post.ts';
import type { SignedRequest } from './signature.ts';

/** One post to a receiver: the delivery itself, a post that a fault added, or a resend by the control API. */
export interface Attempt extends SignedRequest {
  readonly kind: 'delivery' | 'fault' | 'resend';
  /** The ID of the fault that changed or added the post. */
  readonly fault: string | null;
  readonly sentAtUtc: DateTime;
  readonly response: HttpResponse | null;
  readonly error: string | null;
  readonly milliseconds: Count;
  readonly cause: Cause;
}

/** One delivery to one webhook, from the event to the receiver's response. */
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
  /** `unknown` if the delivery was running when a snapshot was taken, or when the sandbox stopped. */
  state: 'queued' | 'delivered' | 'failed' | 'dropped' | 'unknown';
  result?: { readonly status: Count } | { readonly error: string } | { readonly dropped: string } | { readonly unknown: string };
  milliseconds?: number;
  /** The number of failures of the webhook after this delivery, such as "3 of 6 lifetime failures". */
  failures?: string;
  attempts: readonly Attempt[];
}

/** Returns the length of the long texts of a delivery, in characters. */
export function deliveryLength({ url, body, attempts }: Delivery): number {
  let length = url.length + body.length;
  for (const attempt of attempts)
    length += 250 + (attempt.response?.body.length ?? 0) + (attempt.body === body ? 0 : attempt.body.length);
  return length;
}

/** Marks a delivery that is never sent. */
export function drop(delivery: Delivery, why: string): void {
  delivery.state = 'dropped';
  delivery.result = { dropped: why };
}
