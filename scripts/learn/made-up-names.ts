import { Chance } from '../../mock/account/clock.ts';
import { questions } from '../../openapi/effective/behaviors.ts';
import type { Row } from '../../openapi/effective/rows.ts';

/** Names that the clauses ask for, which whoever asks does not say itself: what requests call something cannot be found by looking. */
const asked = Object.values(questions)
  .flatMap(({ behaviors = {} }) => Object.values(behaviors).flatMap((reading) => reading?.wire ?? []))
  .flatMap((row) => ('rename' in row ? [row.rename] : 'move' in row ? [row.move] : []))
  .filter((what) => !/Request\.|^get/.test(what));

const further = ['buyerName', 'buyerEmailAddress', 'giftMessage', 'notes', 'uniqueId', 'isPromotional', 'disableEmails']
  .concat(['shouldSendNotification', 'sendAsGift', 'giftScheduledForUtc'])
  .map((name) => `GiftCard.${name}`);

const wraps = [
  ['listWebhooks'],
  ['createWebhook'],
  ['getGiftCardsByEmail'],
  ['listWebStoreCoupons'],
  ['getGiftCardByAccountPlatformIdAndSourceId'],
  ['getCompanyProfile'],
  ['createAutomationTriggerEvent'],
  ['listAdjustmentsByGiftCardCode', 'listAdjustmentsByGiftCardId'],
];

const statuses = [
  'adjustment.overdraw',
  'adjustment.card-voided',
  'adjustment.card-expired',
  'auth.plan-without-api',
  'coupon.not-found',
].concat(['operation.method-not-allowed', 'request.malformed-json', 'request.too-large']);

const refusals = [
  ['auth.key-missing', 'auth.key-unknown', 'auth.key-deleted', 'auth.plan-without-api'],
  ['gift-card.not-found', 'webhook.not-found', 'coupon.not-found'],
  ['operation.unknown-path'],
  ['operation.method-not-allowed'],
  ['request.malformed-json'],
  ['request.invalid'],
];

const successes = [['voidGiftCardByCode', 'voidGiftCardById'], ['deleteWebhook'], ['deleteWebStoreCoupon']];

/** Rows under names that nobody listed, for every open property and every open shape, half of them in places of their own. */
export function madeUpRows(seed: number): Row[] {
  const chance = Chance.seeded(seed, 'names');
  const letters = 'abcdefghijklmnoprstuvz';
  const word = () => Array.from({ length: 7 }, () => letters[chance.below(letters.length)]).join('');
  const name = (like: string) => (like.includes('_') ? `${word()}_${word()}` : word());
  const isMoved = () => chance.below(2) === 1;
  return [
    ...[...new Set([...asked, ...further])].map(
      (what): Row => (isMoved() ? { move: what, to: `${word()}.${name(what)}` } : { rename: what, to: name(what) }),
    ),
    ...wraps.filter(isMoved).flatMap((operations): Row[] => {
      const wrapper = isMoved() ? `${word()}.${word()}` : word();
      return operations.map((operation) => ({ wrap: operation, in: wrapper }));
    }),
    ...statuses.filter(isMoved).map((code): Row => ({ status: code, to: 450 + chance.below(40) })),
    ...refusals.filter(isMoved).flatMap((codes): Row[] => {
      const body = { [word()]: { [word()]: '{message}', [word()]: '{status}', [word()]: true } };
      return codes.map((code) => ({ body: code, to: body }));
    }),
    ...successes.filter(isMoved).flatMap((operations): Row[] => {
      const body = { [word()]: isMoved(), [word()]: 'it is done' };
      return operations.map((operation) => ({ body: operation, to: body }));
    }),
  ];
}
