import type { Settings } from '../account/settings.ts';
import { type CardPages, linksOf } from '../contract/render/card.ts';
import { formatTime } from '../domain/dates.ts';
import { format } from '../domain/money.ts';
import type { Effect, EmailKind } from '../domain/outcome.ts';
import type { Persist } from '../state/persist.ts';
import type { CardRecord } from '../state/records.ts';
import type { DateTime } from '../state/value-types.ts';
import { BoundedLog } from './bounded-log.ts';
import type { Cause } from './cause.ts';

export interface Email {
  readonly to: string;
  readonly kind: EmailKind;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly giftCardId: string;
  readonly sentAtUtc: DateTime;
  readonly cause: Cause;
}

interface Sender {
  readonly id: string;
  readonly settings: Settings;
  readonly services: { readonly log: { email(accountId: string, email: Email): void }; readonly cardPages: CardPages };
}

/** The emails that an account would have sent. The mock sends no emails. */
export class Outbox extends BoundedLog<Email> {
  readonly #account: Sender;

  constructor(account: Sender & { readonly persist: Persist }) {
    super(
      ({ subject, text, html }) => subject.length + text.length + html.length,
      (number, entry) => account.persist('outbox', number, entry),
    );
    this.#account = account;
  }

  send(effect: Extract<Effect, { kind: 'email' }>, cause: Cause): void {
    const { card, email: kind } = effect;
    if (card.recipientEmailAddress === null) throw new Error(`The ${kind} email of card ${card.id} has no recipient address.`);
    const { subject, text } =
      kind === 'automation' ? { subject: effect.subject ?? '', text: effect.text ?? '' } : compose(kind, card, this.#account);
    const html = text
      .split('\n')
      .map((line) => `<p>${escapeForEmail(line)}</p>`)
      .join('');
    const sentAtUtc = formatTime(cause.at);
    const email = { to: card.recipientEmailAddress, kind, subject, text, html, giftCardId: card.id, sentAtUtc, cause };
    this.add(email);
    this.#account.services.log.email(this.#account.id, email);
  }
}

function compose(
  kind: Exclude<EmailKind, 'automation'>,
  card: CardRecord,
  { settings: { name, locale }, services: { cardPages } }: Sender,
) {
  const balance = format(card.balance, card.currency, locale);
  const giver = card.buyerName ?? name;
  const messages: Readonly<Record<typeof kind, readonly [subject: string, ...lines: string[]]>> = {
    'gift-card': [`Your ${balance} gift card from ${name}`, `Here is your gift card of ${balance}.`],
    // emails.gifted-names-and-message
    gifted: [
      `${giver} sent you a gift card`,
      `${giver} sent you a gift card of ${balance}.`,
      ...(card.giftMessage === null ? [] : [card.giftMessage]),
    ],
    'balance-change': [`Your balance at ${name} is ${balance}`, `The balance of your gift card is now ${balance}.`],
    reminder: [`You have ${balance} left at ${name}`, `There is ${balance} left on your gift card.`],
  };
  const [subject, ...lines] = messages[kind];
  const greeting = card.recipientName === null ? 'Hello,' : `Hello ${card.recipientName},`;
  const ending = [`Code: ${card.code}`, `See its balance: ${linksOf(card, cardPages).viewBalance}`];
  return { subject, text: [greeting, ...lines, ...ending].join('\n') };
}

export function escapeForEmail(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => names[character] as string);
}
