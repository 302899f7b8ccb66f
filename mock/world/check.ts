import { clauseValues } from '../../openapi/generated/clauses.ts';
import { complaintsAboutCard } from './check-card.ts';
import { bothGiven } from './check-dates.ts';
import { complaintsAboutSettings } from './check-settings.ts';
import { repeatsAmong, repeatsWithin } from './check-unique.ts';
import type { Coupon, Webhook, World } from './description.ts';
import type * as filled from './generated/filled.ts';
import { amountProblem } from './money-as-described.ts';
import { below, type Problem } from './places.ts';

/** What is wrong with a world whose shape fits the schema: what contradicts itself, repeats what must be unique, or names what is not there. */
export function complaintsAbout(world: World): Problem[] {
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
    ...tooFewCodes(account),
    ...automations.flatMap(({ amount }, index) => amountProblem(amount, currency, ['automations', index, 'amount'])),
    ...cards.flatMap((card, index) => below(['cards', index], complaintsAboutCard(card, account))),
    ...webhooks.flatMap((webhook, index) => below(['webhooks', index], complaintsAboutWebhook(webhook))),
    ...coupons.flatMap((coupon, index) => below(['coupons', index], complaintsAboutCoupon(coupon, currency))),
  ];
}

/** Cards without a code get one of the account's format; half of what it has must do, so that free ones are found quickly. */
function tooFewCodes({ cards, codeFormat, sampleCards }: filled.Account): Problem[] {
  const wanted = sampleCards + cards.filter(({ code }) => code === undefined).length;
  const signs = Array.from(codeFormat, (sign): number => (sign === 'X' ? 32 : sign === '#' ? 10 : 1));
  const available = signs.reduce((product, each) => product * each, 1) / 2;
  if (wanted <= available) return [];
  return [
    { path: [], sentence: `codeFormat "${codeFormat}" has too few codes for ${wanted} cards without one; give it more X or #.` },
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
