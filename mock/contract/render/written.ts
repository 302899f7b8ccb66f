import { type Behaviors, defaultBehaviors } from '../../../openapi/generated/clauses.ts';
import type { components } from '../../../openapi/generated/types.ts';
import { time } from '../../domain/calendar.ts';
import { toAmount } from '../../domain/money.ts';
import type { Change } from '../../state/change.ts';
import type { CardRecord } from '../../state/records.ts';
import type { View } from '../../state/view.ts';
import type { Contract } from '../contract.ts';
import { type Look, lookOf, timelineAfter } from './card-look.ts';
import type { Form } from './form.ts';

export type GiftCard = components['schemas']['GiftCard'];

const NONE: readonly Change[] = [];

/** A card's text as the API shows it. */
export class Written {
  readonly card: CardRecord;
  readonly text: string;
  /** Of the text in UTF-8. */
  readonly bytes: number;

  constructor(card: CardRecord, text: string) {
    this.card = card;
    this.text = text;
    this.bytes = Buffer.byteLength(text);
  }
}

/** The texts of an account's cards: each is checked against the contract and printed once per change, and serves every answer that holds the card. */
export class Writer {
  readonly #byId = new Map<string, Written>();
  readonly #contract: Contract;
  readonly #form: Form;
  /** Undefined where cards look as the contract is written, which is nearly always. */
  readonly #look: Look | undefined;
  readonly #state: Pick<View, 'timelineOf'> | undefined;
  /** How many lines of the timeline a text shows. */
  readonly #lines = new Map<string, number>();

  /** Without a state, no timeline is shown. */
  constructor(
    contract: Contract,
    behaviors: Behaviors = defaultBehaviors,
    form: Form = (card) => card,
    state?: Pick<View, 'timelineOf'>,
  ) {
    this.#contract = contract;
    this.#form = form;
    this.#look = lookOf(behaviors);
    this.#state = behaviors['gift-card.timeline-shown-where'] === 'in-the-answer' ? state : undefined;
  }

  /** Throws, as a defect of ours, when the card would break the contract. */
  write(card: CardRecord, changes: readonly Change[] = NONE): Written {
    const before = this.#byId.get(card.id);
    const timeline = this.#state && timelineAfter(card.id, changes, this.#state);
    // Records are never written into, so a text holds for as long as its record is the current one.
    if (before?.card === card && (!timeline || this.#lines.get(card.id) === timeline.length)) return before;
    const shown = this.#look ? this.#look(giftCardOf(card), card, timeline) : giftCardOf(card);
    const written = new Written(card, this.#contract.write('GiftCard', this.#form(shown), card.id));
    this.#byId.set(card.id, written);
    if (timeline) this.#lines.set(card.id, timeline.length);
    return written;
  }

  /** Writes every card that the changes put in place, before any of them is carried out. */
  writeCards(changes: readonly Change[]): void {
    for (const change of changes) if (change.table === 'cards') this.write(change.put, changes);
  }
}

export interface Printed {
  readonly text: string;
  readonly bytes: number;
}

/**
 * The JSON text of a reply with its length in UTF-8; cards inside keep the text that they were written with, and are not measured again. All parts
 * are put together at once, since a text that grows part by part is copied as a whole when it is first read.
 */
export function print(value: unknown): Printed {
  if (value instanceof Written) return value;
  const parts: string[] = [];
  const bytes = printInto(parts, value);
  return { text: parts.join(''), bytes };
}

/** Adds the parts of a value's text; answers with their length in bytes. */
function printInto(parts: string[], value: unknown): number {
  if (value instanceof Written) {
    parts.push(value.text);
    return value.bytes;
  }
  if (typeof value !== 'object' || value === null) return textInto(parts, JSON.stringify(value));
  let bytes = 0;
  if (Array.isArray(value)) {
    for (const each of value) bytes += signInto(parts, bytes === 0 ? '[' : ',') + printInto(parts, each);
    return bytes + signInto(parts, bytes === 0 ? '[]' : ']');
  }
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    bytes += signInto(parts, bytes === 0 ? '{' : ',') + textInto(parts, `${JSON.stringify(name)}:`) + printInto(parts, inner);
  }
  return bytes + signInto(parts, bytes === 0 ? '{}' : '}');
}

function textInto(parts: string[], text: string): number {
  parts.push(text);
  return Buffer.byteLength(text);
}

function signInto(parts: string[], sign: string): number {
  parts.push(sign);
  return sign.length;
}

/** Addresses of a card outside the API. They lead nowhere: the host is reserved for examples. */
export function linksOf(card: CardRecord) {
  const base = `https://cards.sandbox.example/${card.id}`;
  return {
    viewBalance: `${base}/balance`,
    appleWallet: `${base}/wallet/apple`,
    googleWallet: `${base}/wallet/google`,
    pdf: `${base}/card.pdf`,
    giftToFriend: `${base}/gift`,
  };
}

/** In the contract's own names, whatever the wire calls them. */
function giftCardOf(card: CardRecord): GiftCard {
  const links = linksOf(card);
  return {
    id: card.id,
    code: card.code,
    balance: toAmount(card.balance, card.currency),
    initialValue: toAmount(card.initialValue, card.currency),
    currency: card.currency,
    status: card.status,
    recipientName: card.recipientName,
    recipientEmailAddress: card.recipientEmailAddress,
    buyerName: card.buyerName,
    buyerEmailAddress: card.buyerEmailAddress,
    giftMessage: card.giftMessage,
    shouldSendNotification: card.shouldSendNotification,
    sendAsGift: card.sendAsGift,
    giftScheduledForUtc: time(card.giftScheduledFor),
    disableEmails: card.disableEmails,
    isPromotional: card.isPromotional,
    customField1: card.customField1,
    customField2: card.customField2,
    customField3: card.customField3,
    notes: card.notes,
    uniqueId: card.uniqueId,
    expiresAtUtc: time(card.expiresAt),
    createdAtUtc: time(card.createdAt),
    updatedAtUtc: time(card.updatedAt),
    viewBalanceUrl: links.viewBalance,
    appleWalletUrl: links.appleWallet,
    googleWalletUrl: links.googleWallet,
  };
}
