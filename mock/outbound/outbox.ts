import type { Settings } from '../account/settings.ts';
import { linksOf } from '../contract/render/card.ts';
import { time } from '../domain/calendar.ts';
import { format } from '../domain/money.ts';
import type { Effect, EmailKind } from '../domain/outcome.ts';
import type { DateTime } from '../domain/tagged-types.ts';
import type { CardRecord } from '../state/records.ts';
import { Bounded } from './bounded.ts';
import type { Cause } from './cause.ts';
import { Waiters, type WaitResult } from './waiters.ts';

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

/** The emails that an account would have sent; none leaves the mock. */
export class Outbox {
  readonly #emails = new Bounded<Email>(10_000, ({ subject, text, html }) => subject.length + text.length + html.length);
  readonly #waiters = new Waiters<Email>();
  readonly #account: { readonly settings: Settings };

  constructor(account: { readonly settings: Settings }) {
    this.#account = account;
  }

  add(effect: Extract<Effect, { kind: 'email' }>, cause: Cause): Email {
    const { card, email: kind } = effect;
    if (card.recipientEmailAddress === null) throw new Error(`The ${kind} email of card ${card.id} has no recipient address.`);
    const { subject, text } =
      kind === 'automation'
        ? { subject: effect.subject ?? '', text: effect.text ?? '' }
        : compose(kind, card, this.#account.settings);
    const html = text
      .split('\n')
      .map((line) => `<p>${escaped(line)}</p>`)
      .join('');
    const email: Email = {
      to: card.recipientEmailAddress,
      kind,
      subject,
      text,
      html,
      giftCardId: card.id,
      sentAtUtc: time(cause.at),
      cause,
    };
    this.#emails.add(email);
    this.#waiters.notify(email);
    return email;
  }

  /** Resolves as `Waiters.wait` does. */
  waitFor(matches: (email: Email) => boolean, milliseconds: number, count = 1): Promise<WaitResult<Email>> {
    return this.#waiters.wait(this.emails(), matches, count, milliseconds);
  }

  stop(): void {
    this.#waiters.stop();
  }

  /** How many are no longer kept. */
  get dropped(): number {
    return this.#emails.dropped;
  }

  restore(emails: readonly Email[], dropped: number): void {
    this.#emails.restore(emails, dropped);
  }

  /** Oldest first. */
  emails(): readonly Email[] {
    return this.#emails.all();
  }
}

/** emails.gifted-names-and-message */
function compose(kind: Exclude<EmailKind, 'automation'>, card: CardRecord, { name, locale }: Settings) {
  const balance = format(card.balance, card.currency, locale);
  const ending = [`Code: ${card.code}`, `See its balance: ${linksOf(card).viewBalance}`];
  const hello = card.recipientName === null ? 'Hello,' : `Hello ${card.recipientName},`;
  switch (kind) {
    case 'gift-card':
      return {
        subject: `Your ${balance} gift card from ${name}`,
        text: [hello, `Here is your gift card of ${balance}.`, ...ending].join('\n'),
      };
    case 'gifted': {
      const message = card.giftMessage === null ? [] : [card.giftMessage];
      const lines = [hello, `${card.buyerName ?? name} sent you a gift card of ${balance}.`, ...message, ...ending];
      return { subject: `${card.buyerName ?? name} sent you a gift card`, text: lines.join('\n') };
    }
    case 'balance-change':
      return {
        subject: `Your balance at ${name} is ${balance}`,
        text: [hello, `The balance of your gift card is now ${balance}.`, ...ending].join('\n'),
      };
    case 'reminder':
      return {
        subject: `You have ${balance} left at ${name}`,
        text: [hello, `There is ${balance} left on your gift card.`, ...ending].join('\n'),
      };
  }
}

function escaped(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => names[character] as string);
}
