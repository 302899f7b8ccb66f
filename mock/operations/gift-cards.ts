import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { components } from '../../openapi/generated/types.ts';
import type { Input } from '../contract/contract.ts';
import { statusShown } from '../contract/render/card-look.ts';
import { linksOf, type Written } from '../contract/render/written.ts';
import { shownId } from '../domain/card-ids.ts';
import * as finding from '../domain/finding.ts';
import * as cards from '../domain/gift-cards.ts';
import { list } from '../domain/list.ts';
import { toAmount } from '../domain/money.ts';
import type { Context, Outcome } from '../domain/outcome.ts';
import { type Refusal, refuse, refused } from '../pipeline/refusal.ts';
import type { CardRecord } from '../state/records.ts';
import { amount, blankAmong, moment, named, text } from './values.ts';

type CreateRequest = components['schemas']['CreateGiftCardRequest'];

/** The outcome with the card of its reply as the API shows it. */
function shown(outcome: Outcome<CardRecord> | Refusal, context: Context): Outcome<Written> | Refusal {
  return refused(outcome)
    ? outcome
    : { reply: context.write(outcome.reply, outcome.changes), changes: outcome.changes, effects: outcome.effects };
}

function found(card: CardRecord | Refusal, context: Context): Outcome<Written> | Refusal {
  return refused(card) ? card : { reply: context.write(card), changes: [], effects: [] };
}

export function createGiftCard(input: Input, context: Context) {
  const body = input.body as CreateRequest;
  const { behaviors } = context;
  // gift-card.create.balance-required: where it may be left out, the contract lets it.
  const given = (body.balance as number | null | undefined) ?? 0;
  const balance = amount('balance', given, context.settings.currency, behaviors['gift-card.create.excess-decimals']);
  if (refused(balance)) return balance;
  const giftScheduledFor = moment('giftScheduledForUtc', body.giftScheduledForUtc);
  if (refused(giftScheduledFor)) return giftScheduledFor;
  const expiresAt = moment('expiresAtUtc', body.expiresAtUtc);
  if (refused(expiresAt)) return expiresAt;
  const { recipientName, buyerName, uniqueId } = body;
  const blank = blankAmong({ code: body.code, recipientName, buyerName, uniqueId }, behaviors);
  if (blank) return blank;
  const code = named(body.code, behaviors);
  const keepsBlanks = body.sendAsGift === true && behaviors['gift-card.create.blank-gifted-name'] === 'accepted';
  const name = (given: string | null | undefined) => (keepsBlanks ? (given ?? null) : named(given, behaviors));
  return shown(
    cards.create(
      {
        initialValue: balance,
        code: behaviors['gift-card.create.code-outer-blanks'] === 'trimmed' ? (code?.trim() ?? null) : code,
        recipientName: name(body.recipientName),
        recipientEmailAddress: text(body.recipientEmailAddress),
        buyerName: name(body.buyerName),
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
        uniqueId: named(body.uniqueId, behaviors),
        // gift-card.create.null-expiry
        expiresAt:
          body.expiresAtUtc === null && behaviors['gift-card.create.null-expiry'] === 'never-expires'
            ? null
            : (expiresAt ?? undefined),
      },
      context,
    ),
    context,
  );
}

export function getGiftCardByCode({ parameters }: Input, context: Context) {
  return found(finding.seenByCode(parameters.code as string, context), context);
}

export function getGiftCardById({ parameters }: Input, context: Context) {
  return found(finding.seenById(parameters.id as string, context), context);
}

export function getGiftCardsByEmail({ parameters }: Input, context: Context) {
  // gift-card.get-by-email.no-parameter: where it may be left out, the contract lets it.
  const address = text(parameters.emailAddress as string | undefined);
  const cards = address === null ? [] : finding.byRecipient(address, context);
  if (refused(cards)) return cards;
  const reply = cards.map((card) => context.write(card));
  return { reply, changes: [], effects: [] };
}

export function getGiftCardByAccountPlatformIdAndSourceId({ parameters }: Input, context: Context) {
  // gift-card.get-by-source.missing-parameter: where one may be left out, nothing is found without it.
  const { accountPlatformId = '', sourceId = '' } = parameters;
  const card = finding.bySource(String(accountPlatformId), String(sourceId), context);
  if (card) return found(card, context);
  const isNull = context.behaviors['gift-card.get-by-source.unknown'] === 'null';
  if (isNull) return { reply: null, changes: [], effects: [] };
  return refuse('gift-card.not-found', `the ID ${sourceId} of the channel ${accountPlatformId}`);
}

export function listGiftCards({ parameters }: Input, context: Context) {
  const since = moment('since', parameters.since as string | undefined);
  if (refused(since)) return since;
  const { state, behaviors } = context;
  const page = list(
    state,
    {
      pageSize: parameters.pageSize as number,
      pageNumber: parameters.pageNumber as number,
      includeAll: parameters.includeAll as boolean,
      since,
    },
    behaviors,
  );
  if (refused(page)) return page;
  const isWhole = behaviors['list.elements'] === 'whole';
  const giftCards = page.cards.map((card) => (isWhole ? context.write(card) : excerptOf(card, behaviors)));
  return { reply: { giftCards, totalCount: page.totalCount }, changes: [], effects: [] };
}

/** list.elements: what the specification names of a card. */
function excerptOf(card: CardRecord, behaviors: Behaviors) {
  const { code, currency } = card;
  const id = shownId(card.id, behaviors['gift-card.response.id-form']);
  const status = statusShown(card, behaviors);
  const { viewBalance, appleWallet, googleWallet } = linksOf(card);
  const links = { viewBalanceUrl: viewBalance, appleWalletUrl: appleWallet, googleWalletUrl: googleWallet };
  return { id, code, balance: toAmount(card.balance, currency), currency, status, ...links };
}

/** gift-card.void.unknown-code-is-404; a deleted card is voided as it is found, by ID alone (gift-card.void.deleted-card). */
export function voidGiftCardByCode({ parameters }: Input, context: Context) {
  return shown(cards.makeVoid(finding.byCode(context.state, parameters.code as string), context, 'code'), context);
}

/** gift-card.void.unknown-id-is-404 */
export function voidGiftCardById({ parameters }: Input, context: Context) {
  return shown(cards.makeVoid(finding.byShownId(parameters.id as string, context), context, 'id'), context);
}
