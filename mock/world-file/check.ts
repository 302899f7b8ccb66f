import { clauseValues } from '../../openapi/generated/clauses.ts';
import { complaintsAboutCard } from './check-card.ts';
import { bothGiven } from './check-dates.ts';
import { complaintsAboutSettings } from './check-settings.ts';
import { repeatsAmong, repeatsWithin } from './check-unique.ts';
import type { Coupon, Webhook } from './description.ts';
import type * as filled from './generated/filled.ts';
import { amountProblem } from './money-as-described.ts';
import { below, type Problem } from './places.ts';

/** What is wrong with a world whose shape fits the schema: what contradicts itself, repeats what must be unique, or names what is not there. */
export function complaintsAbout(world: filled.World): Problem[] {
  return [
    ...repeatsAmong(world),
    ...world.accounts.flatMap((account, index) => below(['accounts', index], complaintsAboutAccount(account))),
  ];
}

export function complaintsAboutAccount(account: filled.Account): Problem[] {
  const { automations, cards, coupons, webhooks, currency } = account;
  return [
    ...complaintsAboutSettings(account),
    ...repeatsWithin(account),
    ...automations.flatMap(({ amount }, index) => amountProblem(amount, currency, ['automations', index, 'amount'])),
    ...cards.flatMap((card, index) => below(['cards', index], complaintsAboutCard(card, account))),
    ...webhooks.flatMap((webhook, index) => below(['webhooks', index], complaintsAboutWebhook(webhook))),
    ...coupons.flatMap((coupon, index) => below(['coupons', index], complaintsAboutCoupon(coupon, currency))),
  ];
}

/** webhook.disabled-after-failures */
function complaintsAboutWebhook({ enabled, failures }: Webhook): Problem[] {
  const limit = clauseValues['webhook.disabled-after-failures'];
  if (enabled !== true || failures < limit) return [];
  const sentence = `enabled is true, but with ${failures} failures it is disabled for good, as from ${limit} on; lower failures or leave enabled out.`;
  return [{ path: [], sentence }];
}

function complaintsAboutCoupon(coupon: Coupon, currency: string): Problem[] {
  return [
    ...bothGiven(coupon, 'startsAtUtc', 'startsInDays'),
    ...bothGiven(coupon, 'endsAtUtc', 'endsInDays'),
    ...(coupon.discountType === 'FixedAmount' ? amountProblem(coupon.discountValue, currency, ['discountValue']) : []),
  ];
}
