import { ruleValues } from '../../openapi/generated/rules.ts';
import type { RandomSource } from '../account/clock.ts';
import type { ApiKey, Settings } from '../account/settings.ts';
import { DAY } from '../domain/dates.ts';
import { toMinor } from '../domain/money.ts';
import type { Change } from '../state/change.ts';
import { automationKey, type CouponRecord, type WebhookRecord } from '../state/records.ts';
import type { Minor } from '../state/value-types.ts';
import { timeOf } from './card-history.ts';
import { buildCard } from './cards.ts';
import type { Coupon, FilledAccount, FilledAutomation, FilledWebhook } from './description.ts';

interface BuiltAccount {
  readonly id: string;
  readonly settings: Settings;
  readonly keys: readonly ApiKey[];
  /** The changes that add the records. The cards are in the order of their last update. */
  readonly changes: readonly Change[];
}

/**
 * Builds an account from its checked description. Events before `now` count as already happened. `random` creates missing IDs and codes.
 * Do not pass the account's own `random`: the running account would create the same values again.
 */
export function buildAccount(
  account: FilledAccount,
  { now, random }: { readonly now: number; readonly random: RandomSource },
): BuiltAccount {
  const newId = () => random.guid();
  const settings = settingsOf(account);
  const automations = account.automations.map((automation) => ({ ...automation, id: automation.id ?? newId() }));
  const around = {
    account,
    channels: settings.channels,
    now,
    automationIds: new Map(automations.map(({ id, name }) => [name, id])),
    newId,
    newCode: codesFor(account, random),
  };
  const cards = account.cards.map((card) => buildCard(card, around));
  cards.sort((a, b) => a.card.updatedAt - b.card.updatedAt);
  return {
    id: account.id,
    settings,
    keys: account.keys.map((key) => ({ ...key, deletedAt: null })),
    changes: [
      ...automations.flatMap((automation) => automationChanges(automation, account.currency, now)),
      ...cards.flatMap(({ changes }) => changes),
      ...account.webhooks.map((webhook): Change => ({ table: 'webhooks', put: webhookRecord(webhook, now, newId) })),
      ...account.coupons.map((coupon): Change => ({ table: 'coupons', put: couponRecord(coupon, now, newId) })),
    ],
  };
}

function settingsOf(account: FilledAccount): Settings {
  const { id, keys, automations, cards, webhooks, coupons, sampleCards, ...settings } = account;
  return { ...settings, channels: account.channels.map((channel) => ({ ...channel, name: channel.name ?? channel.id })) };
}

/** Adds an automation, or replaces the automation with the same ID. */
export function automationChanges(
  automation: FilledAutomation & { readonly id: string },
  currency: string,
  now: number,
): Change[] {
  const { amount, usedIdempotencyKeys, ...rest } = automation;
  return [
    { table: 'automations', put: { ...rest, amount: toMinor(amount, currency) as Minor } },
    ...usedIdempotencyKeys.map((key): Change => {
      return { table: 'automationKeys', put: { id: automationKey(automation.id, key), at: now } };
    }),
  ];
}

/** Builds a webhook. Too many failures disable the webhook (webhook.disabled-after-failures). */
function webhookRecord(webhook: FilledWebhook, now: number, newId: () => string): WebhookRecord {
  return {
    id: webhook.id ?? newId(),
    url: webhook.url,
    description: webhook.description,
    token: webhook.requestHeaderVerificationToken,
    createdAt: now - Math.round(webhook.createdDaysAgo * DAY),
    failures: webhook.failures,
    enabled: webhook.enabled !== false && webhook.failures < ruleValues['webhook.disabled-after-failures'],
  };
}

function couponRecord(coupon: Coupon, now: number, newId: () => string): CouponRecord {
  const { startsAtUtc, startsInDays, endsAtUtc, endsInDays, ...rest } = coupon;
  return {
    ...rest,
    id: coupon.id ?? newId(),
    startsAt: timeOf(startsAtUtc, startsInDays, now) ?? null,
    endsAt: timeOf(endsAtUtc, endsInDays, now) ?? null,
  };
}

/** Returns a function that creates codes. Each new code differs from all codes of the description. */
function codesFor(account: FilledAccount, random: RandomSource): () => string {
  const taken = new Set(account.cards.map(({ code }) => code?.toLowerCase()));
  return () => {
    const code = random.freeCode(account.codeFormat, (wanted) => taken.has(wanted.toLowerCase()));
    taken.add(code.toLowerCase());
    return code;
  };
}
