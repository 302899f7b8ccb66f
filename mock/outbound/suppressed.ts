import type { RuleName } from '../../openapi/generated/clauses.ts';
import type { View } from '../state/view.ts';
import type { Cause } from './cause.ts';
import type { OutboundAccount } from './outbound-account.ts';

/** An effect that did not happen, and the clause that says so. */
export interface Suppressed {
  readonly what: string;
  readonly giftCardId: string;
  readonly clause: RuleName;
  readonly why: string;
  readonly cause: Cause;
}

/** Returns why a delivery has no receiver: no subscription, no webhook, or no enabled one; undefined if there is one. */
export function noReceiver({
  settings,
  state,
}: Pick<OutboundAccount, 'settings'> & { readonly state: Pick<View, 'webhooks'> }):
  | Pick<Suppressed, 'clause' | 'why'>
  | undefined {
  if (!settings.subscriptionActive)
    return { clause: 'delivery.only-while-subscribed', why: "the account's subscription is not active" };
  const webhooks = [...state.webhooks()];
  if (webhooks.length === 0) return { clause: 'delivery.one-per-webhook', why: 'the account has no webhook' };
  if (webhooks.some(({ enabled }) => enabled)) return undefined;
  const why = 'each of its webhooks was disabled after too many failed deliveries';
  return { clause: 'webhook.disabled-gets-no-deliveries', why };
}
