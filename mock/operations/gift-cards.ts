import { clauseValues } from '../../openapi/generated/clauses.ts';
import { excerptOf } from '../contract/render/card.ts';
import type { RenderedCard } from '../contract/render/print.ts';
import * as finding from '../domain/finding.ts';
import * as cards from '../domain/gift-cards.ts';
import { list } from '../domain/list.ts';
import type { Context, Outcome } from '../domain/outcome.ts';
import { type Refusal, refuse, refused } from '../pipeline/refusal.ts';
import type { CardRecord } from '../state/records.ts';
import type { OperationInput } from './operation-types.ts';
import { amount, blankAmong, moment, named, text } from './values.ts';

/** The outcome with the card of its reply rendered. */
function shown(outcome: Outcome<CardRecord> | Refusal, context: Context): Outcome<RenderedCard> | Refusal {
  return refused(outcome)
    ? outcome
    : { reply: context.render(outcome.reply), changes: outcome.changes, effects: outcome.effects };
}

function found(card: CardRecord | Refusal, context: Context): Outcome<RenderedCard> | Refusal {
  return refused(card) ? card : { reply: context.render(card), changes: [], effects: [] };
}

export function createGiftCard({ body }: OperationInput<'createGiftCard'>, context: Context) {
  const { behaviors, settings } = context;
  const balance = amount('balance', body.balance, settings.currency, behaviors['gift-card.create.excess-decimals']);
  if (refused(balance)) return balance;
  const giftScheduledFor = moment('giftScheduledForUtc', body.giftScheduledForUtc);
  if (refused(giftScheduledFor)) return giftScheduledFor;
  const expiresAt = moment('expiresAtUtc', body.expiresAtUtc);
  if (refused(expiresAt)) return expiresAt;
  const { code, recipientName, buyerName, uniqueId } = body;
  const blank = blankAmong({ code, recipientName, buyerName, uniqueId }, behaviors);
  if (blank) return blank;
  const neverExpires = body.expiresAtUtc === null && behaviors['gift-card.create.null-expiry'] === 'never-expires';
  const wanted: cards.RequestedCard = {
    initialValue: balance,
    code: named(code, behaviors),
    recipientName: named(recipientName, behaviors),
    recipientEmailAddress: text(body.recipientEmailAddress),
    buyerName: named(buyerName, behaviors),
    buyerEmailAddress: text(body.buyerEmailAddress),
    giftMessage: body.giftMessage ?? null,
    shouldSendNotification: body.shouldSendNotification ?? false,
    sendAsGift: body.sendAsGift ?? false,
    giftScheduledFor,
    disableEmails: body.disableEmails ?? false,
    isPromotional: body.isPromotional ?? false,
    customField1: body.customField1 ?? null,
    customField2: body.customField2 ?? null,
    customField3: body.customField3 ?? null,
    notes: text(body.notes),
    uniqueId: named(uniqueId, behaviors),
    expiresAt: neverExpires ? null : (expiresAt ?? undefined),
  };
  return shown(cards.create(wanted, context), context);
}

export function getGiftCardByCode({ parameters }: OperationInput<'getGiftCardByCode'>, context: Context) {
  return found(finding.shownByCode(parameters.code, context), context);
}

export function getGiftCardById({ parameters }: OperationInput<'getGiftCardById'>, context: Context) {
  return found(finding.shownById(parameters.id, context), context);
}

export function getGiftCardsByEmail({ parameters }: OperationInput<'getGiftCardsByEmail'>, context: Context) {
  const found = finding.byRecipient(parameters.emailAddress, context);
  return refused(found) ? found : { reply: found.map((card) => context.render(card)), changes: [], effects: [] };
}

export function getGiftCardByAccountPlatformIdAndSourceId(
  { parameters: { accountPlatformId, sourceId } }: OperationInput<'getGiftCardByAccountPlatformIdAndSourceId'>,
  context: Context,
) {
  const card = finding.bySource(accountPlatformId, sourceId, context);
  if (card) return found(card, context);
  if (context.behaviors['gift-card.get-by-source.unknown'] === 'null') return { reply: null, changes: [], effects: [] };
  return refuse('gift-card.not-found', `the ID ${sourceId} of the channel ${accountPlatformId}`);
}

export function listGiftCards({ parameters }: OperationInput<'listGiftCards'>, context: Context) {
  const since = moment('since', parameters.since);
  if (refused(since)) return since;
  const { state, behaviors } = context;
  const { pageSize = clauseValues['list.page-size-default'], pageNumber = 0, includeAll = false } = parameters;
  // list.page-size-above-maximum: a larger page size gets here only where the contract allows it.
  const size = Math.min(pageSize, clauseValues['list.page-size-maximum']);
  const page = list(state, { pageSize: size, pageNumber, includeAll, since }, behaviors);
  if (refused(page)) return page;
  const isWhole = behaviors['list.elements'] === 'whole';
  const giftCards = page.cards.map((card) => (isWhole ? context.render(card) : excerptOf(card, behaviors)));
  return { reply: { giftCards, totalCount: page.totalCount }, changes: [], effects: [] };
}

/** gift-card.void.unknown-code-is-404; a deleted card can be voided by its ID only (gift-card.void.deleted-card). */
export function voidGiftCardByCode({ parameters }: OperationInput<'voidGiftCardByCode'>, context: Context) {
  return shown(cards.makeVoid(finding.byCode(context.state, parameters.code), context, 'code'), context);
}

/** gift-card.void.unknown-id-is-404 */
export function voidGiftCardById({ parameters }: OperationInput<'voidGiftCardById'>, context: Context) {
  return shown(cards.makeVoid(finding.byId(parameters.id, context), context, 'id'), context);
}
