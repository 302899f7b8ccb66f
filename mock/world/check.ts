import { clauseValues } from '../../openapi/generated/clauses.ts';
import { didYouMean } from '../../openapi/input/closest.ts';
import type { Path } from '../../openapi/input/text.ts';
import { mayBePlain } from '../domain/webhooks.ts';
import { amountProblem, bothGiven, cardProblems, currencies } from './check-card.ts';
import type { Account, Coupon, Webhook, World } from './description.ts';
import type * as filled from './generated/filled.ts';
import { below, type Problem } from './problem.ts';

/** Problems that the schema cannot find: contradictions, repeated unique values, and references to missing records. */
export function worldProblems(world: World): Problem[] {
  const ids = world.accounts.map(({ id }, index) => named(id, 'accounts', index));
  const keys = world.accounts.flatMap((account, index) =>
    account.keys.map(({ key }, position) => named(key, 'accounts', index, 'keys', position)),
  );
  return [
    ...repeats(ids, 'id'),
    ...repeats(keys, 'key'),
    ...world.accounts.flatMap((account, index) => below(['accounts', index], accountProblems(account))),
  ];
}

export function accountProblems(account: filled.Account): Problem[] {
  const { automations, cards, coupons, webhooks, currency } = account;
  return [
    ...settingsProblems(account),
    ...repeatsWithin(account),
    ...tooFewCodes(account),
    ...automations.flatMap(({ amount }, index) => amountProblem(amount, currency, ['automations', index, 'amount'])),
    ...cards.flatMap((card, index) => below(['cards', index], cardProblems(card, account))),
    ...webhooks.flatMap((webhook, index) => below(['webhooks', index], webhookProblems(webhook))),
    ...coupons.flatMap((coupon, index) => below(['coupons', index], couponProblems(coupon, currency))),
  ];
}

/** Currency, time zone and locale must be known to the runtime's Intl data. */
function settingsProblems({ currency, timeZone, locale }: filled.Account): Problem[] {
  const problems: Problem[] = [];
  if (!currencies().has(currency)) {
    const hint = didYouMean(currency, [...currencies()]);
    problems.push({ path: ['currency'], sentence: `currency must be an ISO 4217 code such as EUR, got "${currency}".${hint}` });
  }
  if (!works(() => new Intl.DateTimeFormat('en', { timeZone }))) {
    const hint = didYouMean(timeZone, Intl.supportedValuesOf('timeZone'));
    const sentence = `timeZone must be an IANA name such as Europe/Lisbon, got "${timeZone}".${hint}`;
    problems.push({ path: ['timeZone'], sentence });
  }
  if (!works(() => Intl.getCanonicalLocales(locale)))
    problems.push({ path: ['locale'], sentence: `locale must be a BCP 47 tag such as de-DE, got "${locale}".` });
  return problems;
}

function works(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

/** A value that only one element may have; undefined and null are ignored. */
interface Named {
  readonly value: string | null | undefined;
  readonly path: Path;
}

function named(value: string | null | undefined, ...path: (string | number)[]): Named {
  return { value, path };
}

function repeatsWithin({ automations, cards, channels, coupons, webhooks }: filled.Account): Problem[] {
  const unique = <T>(list: string, items: readonly T[], property: string, keyOf: (item: T) => string | null | undefined) =>
    repeats(
      items.map((item, index) => named(keyOf(item), list, index)),
      property,
    );
  const adjustments = cards.flatMap((card, index) =>
    card.adjustments.map((each, position) => named(each.uniqueAdjustmentId, 'cards', index, 'adjustments', position)),
  );
  const sources = channels.flatMap(({ id }) =>
    cards.map(({ inChannels }, index) => {
      const source = inChannels[id]?.sourceId;
      return named(source && `${id}\n${source}`, 'cards', index, 'inChannels', id);
    }),
  );
  return [
    ...unique('channels', channels, 'id', ({ id }) => id),
    ...unique('automations', automations, 'name', ({ name }) => name),
    ...unique('automations', automations, 'id', ({ id }) => id?.toLowerCase()),
    ...unique('cards', cards, 'code (in any letter case)', ({ code }) => code?.toLowerCase()),
    ...unique('cards', cards, 'id', ({ id }) => id?.toLowerCase()),
    ...unique('cards', cards, 'uniqueId', ({ uniqueId }) => uniqueId),
    ...unique('webhooks', webhooks, 'id', ({ id }) => id?.toLowerCase()),
    ...unique('coupons', coupons, 'code (in any letter case)', ({ code }) => code.toLowerCase()),
    ...unique('coupons', coupons, 'id', ({ id }) => id?.toLowerCase()),
    ...repeats(adjustments, 'uniqueAdjustmentId'),
    ...repeats(sources, 'sourceId'),
  ];
}

function repeats(all: readonly Named[], property: string): Problem[] {
  const owners = new Map<string, Path>();
  return all.flatMap(({ value, path }) => {
    if (value === null || value === undefined) return [];
    const owner = owners.get(value);
    if (owner) return [{ path, sentence: `${property} is used twice; make each unique.`, other: owner }];
    owners.set(value, path);
    return [];
  });
}

/** Cards without a code get one in the account's format. They may need at most half of its codes, so that a free one is found quickly. */
function tooFewCodes({ cards, codeFormat, sampleCards }: filled.Account): Problem[] {
  const needed = sampleCards + cards.filter(({ code }) => code === undefined).length;
  const choices = Array.from(codeFormat, (sign): number => (sign === 'X' ? 32 : sign === '#' ? 10 : 1));
  if (needed <= choices.reduce((product, each) => product * each, 1) / 2) return [];
  const sentence = `codeFormat "${codeFormat}" has too few codes for ${needed} cards without a code; add more X or #.`;
  return [{ path: [], sentence }];
}

/** webhook.disabled-after-failures */
function webhookProblems({ enabled, failures }: Webhook): Problem[] {
  const limit = clauseValues['webhook.disabled-after-failures'];
  if (enabled !== true || failures < limit) return [];
  const sentence = `enabled must not be true with ${failures} failures: a webhook is disabled from ${limit} on. Lower failures, or leave enabled out.`;
  return [{ path: [], sentence }];
}

function couponProblems(coupon: Coupon, currency: string): Problem[] {
  return [
    ...bothGiven(coupon, 'startsAtUtc', 'startsInDays'),
    ...bothGiven(coupon, 'endsAtUtc', 'endsInDays'),
    ...(coupon.discountType === 'FixedAmount' ? amountProblem(coupon.discountValue, currency, ['discountValue']) : []),
  ];
}

/** The webhooks of a description that a request could not register because they are not https (webhook.create.other-schemes). */
export function plainWebhooks(
  { webhooks }: Account,
  { plainHttpHosts }: { readonly plainHttpHosts: readonly string[] },
): { readonly url: string; readonly sentence: string }[] {
  return webhooks.flatMap(({ url }) => {
    const { protocol = '', hostname = '' } = URL.canParse(url) ? new URL(url) : {};
    if (protocol !== 'http:' || mayBePlain(hostname, plainHttpHosts)) return [];
    const sentence = `The webhook URL must be https, got ${url}. http is accepted for this machine, and for the hosts of --allow-http-webhooks (allowHttpWebhooks), such as ${hostname}.`;
    return [{ url, sentence }];
  });
}
