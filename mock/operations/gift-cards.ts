import { ruleValues } from '../../openapi/generated/rules.ts';
import { excerptOf } from '../contract/render/card.ts';
import type { RenderedCard } from '../contract/render/print.ts';
import * as finding from '../domain/finding.ts';
import * as cards from '../domain/gift-cards.ts';
import type { Context, Outcome } from '../domain/outcome.ts';
import { isRefused, type Refusal, refuse } from '../pipeline/refusal.ts';
import type { CardRecord } from '../state/records.ts';
import type { OperationInput } from './operation-types.ts';
import { amount, mapResponse, optionalName, optionalText, optionalTime, refuseBlank, respondWith } from './values.ts';

function readCard(card: CardRecord | Refusal, context: Context): Outcome<RenderedCard> | Refusal {
  return isRefused(card) ? card : respondWith(context.render(card));
}

export function createGiftCard({ body }: OperationInput<'createGiftCard'>, context: Context) {
  const { behaviors, settings } = context;
  const balance = amount('balance', body.balance, settings.currency, behaviors['gift-card.create.excess-decimals']);
  if (isRefused(balance)) return balance;
  const giftScheduledFor = optionalTime('giftScheduledForUtc', body.giftScheduledForUtc);
  if (isRefused(giftScheduledFor)) return giftScheduledFor;
  const expiresAt = optionalTime('expiresAtUtc', body.expiresAtUtc);
  if (isRefused(expiresAt)) return expiresAt;
  const { code, recipientName, buyerName, uniqueId } = body;
  const blank = refuseBlank({ code, recipientName, buyerName, uniqueId }, behaviors);
  if (blank) return blank;
  const neverExpires = body.expiresAtUtc === null && behaviors['gift-card.create.null-expiry'] === 'never-expires';
  const wanted: cards.RequestedCard = {
    given: body,
    initialValue: balance,
    code: optionalName(code, behaviors),
    recipientName: optionalName(recipientName, behaviors),
    recipientEmailAddress: optionalText(body.recipientEmailAddress),
    buyerName: optionalName(buyerName, behaviors),
    buyerEmailAddress: optionalText(body.buyerEmailAddress),
    giftScheduledFor,
    notes: optionalText(body.notes),
    uniqueId: optionalName(uniqueId, behaviors),
    expiresAt: neverExpires ? null : (expiresAt ?? undefined),
  };
  return mapResponse(cards.newGiftCard(wanted, context), context.render);
}

export function getGiftCardByCode({ parameters }: OperationInput<'getGiftCardByCode'>, context: Context) {
  return readCard(finding.shownByCode(parameters.code, context), context);
}

export function getGiftCardById({ parameters }: OperationInput<'getGiftCardById'>, context: Context) {
  return readCard(finding.shownById(parameters.id, context), context);
}

export function getGiftCardsByEmail({ parameters }: OperationInput<'getGiftCardsByEmail'>, context: Context) {
  const sent = finding.byRecipient(parameters.emailAddress, context);
  return isRefused(sent) ? sent : respondWith(sent.map(context.render));
}

export function getGiftCardByAccountPlatformIdAndSourceId(
  { parameters: { accountPlatformId, sourceId } }: OperationInput<'getGiftCardByAccountPlatformIdAndSourceId'>,
  context: Context,
) {
  const card = finding.bySource(accountPlatformId, sourceId, context);
  if (card) return readCard(card, context);
  if (context.behaviors['gift-card.get-by-source.unknown'] === 'null') return respondWith(null);
  return refuse('gift-card.not-found', `the source ID ${sourceId} in the channel ${accountPlatformId}`);
}

export function listGiftCards({ parameters }: OperationInput<'listGiftCards'>, context: Context) {
  const since = optionalTime('since', parameters.since);
  if (isRefused(since)) return since;
  const { state, behaviors } = context;
  const { pageSize = ruleValues['list.page-size-default'], pageNumber = 0, includeAll = false } = parameters;
  // The contract allows a larger page size only with one option, which returns the largest page (list.page-size-above-maximum).
  const size = Math.min(pageSize, ruleValues['list.page-size-maximum']);
  const page = finding.listPage(state, { pageSize: size, pageNumber, includeAll, since }, behaviors);
  if (isRefused(page)) return page;
  const isWhole = behaviors['list.elements'] === 'whole';
  const giftCards = page.cards.map((card) => (isWhole ? context.render(card) : excerptOf(card, behaviors, context.cardPages)));
  return respondWith({ giftCards, totalCount: page.totalCount });
}

/** gift-card.void.unknown-code-is-404, gift-card.void.deleted-card */
export function voidGiftCardByCode({ parameters }: OperationInput<'voidGiftCardByCode'>, context: Context) {
  return mapResponse(cards.makeVoid(finding.cardByCode(context.state, parameters.code), context, 'code'), context.render);
}

/** gift-card.void.unknown-id-is-404 */
export function voidGiftCardById({ parameters }: OperationInput<'voidGiftCardById'>, context: Context) {
  return mapResponse(cards.makeVoid(finding.cardById(parameters.id, context), context, 'id'), context.render);
}
