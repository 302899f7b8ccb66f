import type { components } from '../../openapi/generated/types.ts';
import type { Input } from '../contract.ts';
import { type Run, trigger } from '../domain/automations.ts';
import { toAmount } from '../money.ts';
import type { Context } from '../outcome.ts';
import type { CardRecord } from '../records.ts';
import { refuse, refused } from '../refusal.ts';
import { linksOf, time } from '../written.ts';
import { amount, requiredText, text } from './values.ts';

type Schemas = components['schemas'];

export function createAutomationTriggerEvent(input: Input, context: Context) {
  const body = input.body as Schemas['AutomationTriggerEventRequest'];
  const name = requiredText('event_name', body.event_name);
  if (refused(name)) return name;
  const minor =
    body.amount === undefined || body.amount === null ? null : amount('amount', body.amount, context.settings.currency);
  if (refused(minor)) return minor;
  if (minor !== null && minor <= 0) return refuse('request.invalid', 'amount is not above 0'); // automation.amount-not-positive
  const outcome = trigger(
    {
      name,
      amount: minor,
      recipientEmail: body.recipient_email,
      key: text(body.idempotency_key),
      properties: body.properties ?? {},
    },
    context,
  );
  return { ...outcome, reply: result(outcome.reply) };
}

function result(runs: readonly Run[]): Schemas['AutomationTriggerEventResult'] {
  return {
    gift_cards: runs.flatMap(({ card }) => (card ? [issued(card)] : [])),
    automations: runs.map(({ automation, status, card }) => ({
      automation_id: automation.id,
      automation_name: automation.name,
      status,
      gift_card_id: card?.id ?? null,
    })),
  };
}

/** automation.issued-card-case: this endpoint speaks snake_case throughout. */
function issued(card: CardRecord): Schemas['IssuedGiftCard'] {
  const links = linksOf(card);
  return {
    id: card.id,
    code: card.code,
    balance: toAmount(card.balance, card.currency),
    currency: card.currency,
    status: card.status,
    recipient_email_address: card.recipientEmailAddress ?? '',
    expires_at_utc: time(card.expiresAt),
    created_at_utc: time(card.createdAt),
    view_balance_url: links.viewBalance,
    apple_wallet_url: links.appleWallet,
    google_wallet_url: links.googleWallet,
  };
}
