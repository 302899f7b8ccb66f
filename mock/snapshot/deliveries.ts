import type { DeliveriesState } from '../outbound/deliveries.ts';
import type { Attempt, Delivery } from '../outbound/delivery.ts';
import type { Posted, ReceiverAnswer } from '../outbound/post.ts';
import type { DeliveryReference } from '../outbound/references.ts';
import type { Origin } from '../outbound/webhook-sender.ts';
import { cause } from './cause.ts';
import { exercise, topic } from './drills.ts';
import { card, webhook } from './records.ts';
import {
  address,
  byName,
  byProperty,
  count,
  list,
  momentText,
  object,
  oneOf,
  optional,
  orNull,
  type Shape,
  such,
  text,
  truth,
  tuple,
  whole,
} from './shape.ts';

/** What the deliveries of an account must be like for them to be shown and sent again. */

const status = such(whole, (value) => (value < 100 || value > 599 ? 'a status from 100 to 599' : undefined));
const answer = object<ReceiverAnswer>({ status, headers: byName(text), body: text });
const posted = byProperty<Posted>({ error: object<{ readonly error: string }>({ error: text }), status: answer });
const attempt = object<Attempt>({
  kind: oneOf<Attempt['kind']>({ delivery: true, drill: true, resend: true }),
  drill: orNull(text),
  sentAtUtc: momentText,
  headers: byName(text),
  body: text,
  answer: orNull(answer),
  error: orNull(text),
  milliseconds: count,
  cause,
});
const result = byProperty<NonNullable<Delivery['result']>>({
  error: object<{ readonly error: string }>({ error: text }),
  dropped: object<{ readonly dropped: string }>({ dropped: text }),
  unknown: object<{ readonly unknown: string }>({ unknown: text }),
  status: object<{ readonly status: number }>({ status }),
});
const delivery = object<Delivery>({
  requestId: text,
  webhookId: text,
  url: address,
  topic,
  giftCardId: text,
  body: text,
  signed: truth,
  queuedAtUtc: momentText,
  cause,
  state: oneOf<Delivery['state']>({ queued: true, delivered: true, failed: true, dropped: true, unknown: true }),
  result: optional(result),
  milliseconds: optional(count),
  failures: optional(text),
  attempts: list(attempt),
});

/** By its place among those that are kept, which `mustBeKept` looks after, or as it is. */
export const reference: Shape<DeliveryReference> = (value) => (typeof value === 'number' ? count(value) : delivery(value));

export const deliveries = object<DeliveriesState>({
  kept: list(delivery),
  dropped: count,
  waiting: list(reference),
  origins: list(tuple(reference, object<Origin>({ card, webhook }))),
  heldBack: list(object<DeliveriesState['heldBack'][number]>({ delivery: reference, exercise })),
  overtaking: list(
    object<DeliveriesState['overtaking'][number]>({
      delivery: reference,
      overtaken: reference,
      exercise,
      answer: orNull(posted),
    }),
  ),
});
