import type { components } from '../../openapi/generated/types.ts';
import type { Input } from '../contract/contract.ts';
import { linksOf } from '../contract/render/written.ts';
import { type Run, trigger } from '../domain/automations.ts';
import { time } from '../domain/calendar.ts';
import { shownId } from '../domain/card-ids.ts';
import { toAmount } from '../domain/money.ts';
import type { Context } from '../domain/outcome.ts';
import { refuse, refused } from '../pipeline/refusal.ts';
import type { CardRecord } from '../state/records.ts';
import { amount, blankAmong, named, requiredText, text } from './values.ts';

type Schemas = components['schemas'];

export function createAutomationTriggerEvent(input: Input, context: Context) {
  const body = input.body as Schemas['AutomationTriggerEventRequest'];
  // automation.event-name-required: where it may be left out, the contract lets it.
  const name =
    context.behaviors['automation.event-name-required'] === 'optional'
      ? text(body.event_name)
      : requiredText('event_name', body.event_name, context.behaviors);
  if (refused(name)) return name;
  const blank = blankAmong({ idempotency_key: body.idempotency_key }, context.behaviors);
  if (blank) return blank;
  const minor =
    body.amount === undefined || body.amount === null ? null : amount('amount', body.amount, context.settings.currency);
  if (refused(minor)) return minor;
  if (minor !== null && minor <= 0 && context.behaviors['automation.amount-not-positive'] === 'refused')
    return refuse('request.invalid', 'amount is not above 0');
  const outcome = trigger(
    {
      name,
      amount: minor,
      recipientEmail: text(body.recipient_email),
      key: named(body.idempotency_key, context.behaviors),
      properties: asTexts(body.properties ?? {}),
    },
    context,
  );
  return refused(outcome) ? outcome : { ...outcome, reply: result(outcome.reply, context) };
}

/** Those that are no texts yet, where the contract takes them (automation.property-types). */
function asTexts(properties: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(properties).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return Object.fromEntries(texts);
}

function result(runs: readonly Run[], { behaviors }: Context): Schemas['AutomationTriggerEventResult'] {
  // A number under gift-card.response.id-form.
  const idOf = (card: CardRecord) => shownId(card.id, behaviors['gift-card.response.id-form']);
  return {
    gift_cards: runs.flatMap(({ card }) => (card ? [issued(card, idOf(card) as string)] : [])),
    automations: runs.map(({ automation, status, card }) => ({
      automation_id: automation.id,
      automation_name: automation.name,
      status,
      gift_card_id: card ? (idOf(card) as string) : null,
    })),
  };
}

/** automation.issued-card-case: this endpoint speaks snake_case throughout. */
function issued(card: CardRecord, id: string): Schemas['IssuedGiftCard'] {
  const links = linksOf(card);
  return {
    id,
    code: card.code,
    balance: toAmount(card.balance, card.currency),
    currency: card.currency,
    status: card.status,
    recipient_email_address: card.recipientEmailAddress as string, // null only where the event may leave it out
    expires_at_utc: time(card.expiresAt),
    created_at_utc: time(card.createdAt),
    view_balance_url: links.viewBalance,
    apple_wallet_url: links.appleWallet,
    google_wallet_url: links.googleWallet,
  };
}
