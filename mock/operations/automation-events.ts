import type { components } from '../../openapi/generated/types.ts';
import { type CardPages, linksOf } from '../contract/render/card.ts';
import { type AutomationRun, trigger } from '../domain/automations.ts';
import { formatTime } from '../domain/dates.ts';
import { toAmount } from '../domain/money.ts';
import type { Context, Outcome } from '../domain/outcome.ts';
import { isRefused, type Refusal, refuse } from '../pipeline/refusal.ts';
import type { CardRecord } from '../state/records.ts';
import type { OperationInput, OperationResponse } from './operation-types.ts';
import { amount, mapResponse, optionalName, refuseBlank, requiredText } from './values.ts';

type Schemas = components['schemas'];

export function createAutomationTriggerEvent(
  { body }: OperationInput<'createAutomationTriggerEvent'>,
  context: Context,
): Outcome<OperationResponse<'createAutomationTriggerEvent'>> | Refusal {
  const { behaviors, settings } = context;
  const name = requiredText('event_name', body.event_name, behaviors);
  if (isRefused(name)) return name;
  const blank = refuseBlank({ idempotency_key: body.idempotency_key }, behaviors);
  if (blank) return blank;
  const minor = body.amount === undefined || body.amount === null ? null : amount('amount', body.amount, settings.currency);
  if (isRefused(minor)) return minor;
  if (minor !== null && minor <= 0) return refuse('request.invalid', 'amount is not above 0'); // automation.amount-not-positive
  const properties = asTexts(body.properties ?? {});
  const key = optionalName(body.idempotency_key, behaviors);
  const outcome = trigger({ name, amount: minor, recipientEmail: body.recipient_email, key, properties }, context);
  return mapResponse(outcome, (runs) => resultOf(runs, context.cardPages));
}

/** Converts all values to texts. The contract allows other values only with one option (automation.property-types). */
function asTexts(properties: Readonly<Record<string, unknown>>): Record<string, string> {
  const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, asText(value)]));
}

function resultOf(runs: readonly AutomationRun[], pages: CardPages): Schemas['AutomationTriggerEventResult'] {
  return {
    gift_cards: runs.flatMap(({ card }) => (card ? [issuedCardView(card, pages)] : [])),
    automations: runs.map(({ automation, status, card }) => ({
      automation_id: automation.id,
      automation_name: automation.name,
      status,
      gift_card_id: card?.id ?? null,
    })),
  };
}

/** Shows a card in snake_case (automation.issued-card-case). */
function issuedCardView(card: CardRecord, pages: CardPages): Schemas['IssuedGiftCard'] {
  const links = linksOf(card, pages);
  return {
    id: card.id,
    code: card.code,
    balance: toAmount(card.balance, card.currency),
    currency: card.currency,
    status: card.status,
    recipient_email_address: card.recipientEmailAddress ?? '',
    expires_at_utc: formatTime(card.expiresAt),
    created_at_utc: formatTime(card.createdAt),
    view_balance_url: links.viewBalance,
    apple_wallet_url: links.appleWallet,
    google_wallet_url: links.googleWallet,
  };
}
