import { createHmac } from 'node:crypto';
import type { lists } from '../../openapi/generated/lists.ts';
import type { StatedRule } from '../../openapi/generated/rules.ts';
import type { Arrival } from '../core/receiver.ts';

export type DeliveryTopic = (typeof lists.WebhookTopic)[number];
export type DeliveryPayload = Readonly<Record<string, unknown>>;

export const signatureHeader = 'hmac-signature-sha256';

export const signatureOf = (body: string | Buffer, token: string): string =>
  createHmac('sha256', token).update(body).digest('base64');

export const payloadsIn = (arrivals: readonly Arrival[]): DeliveryPayload[] =>
  arrivals.flatMap(({ payload }) => (payload ? [payload] : []));

/** Returns the different bodies. An attempt that is repeated with the same body is the same delivery. */
export const bodiesOf = (arrivals: readonly Arrival[]): string[] => [...new Set(arrivals.map(({ bytes }) => String(bytes)))];

/** The rule that states when a topic is delivered. */
const ruleOf: Readonly<Record<DeliveryTopic, StatedRule>> = {
  'giftcard/updated': 'delivery.updated.on-issue',
  'giftcard/gifted': 'delivery.gifted.on-gift',
  'giftcard/reminder': 'delivery.reminder.on-reminder',
  'giftcard/voided': 'delivery.voided.on-void',
  'giftcard/expired': 'delivery.expired.on-expiry',
};

/** Returns the reason why a rule is blocked. All rules that wait for the same violated rule have the same reason. */
export const missingDelivery = (topic: DeliveryTopic): string => `waits for ${ruleOf[topic]}: ${topic} did not arrive`;

/** Names the deliveries that arrived in place of a missing delivery. */
export const topicsOf = (instead: readonly Arrival[]): string =>
  instead.length === 0 ? 'none' : `${[...new Set(instead.map(({ payload }) => payload?.WebhookTopic))].join(', ')} for that card`;
