import type { Behaviors } from '../../../openapi/generated/rules.ts';
import type { components } from '../../../openapi/generated/types.ts';
import { formatTime } from '../../domain/dates.ts';
import { toAmount } from '../../domain/money.ts';
import type { Change } from '../../state/change.ts';
import type { CardRecord } from '../../state/records.ts';
import type { Contract } from '../contract.ts';
import { RenderedCard } from './print.ts';

export type GiftCard = components['schemas']['GiftCard'];

/** The largest number of texts that are kept. */
const MAX_KEPT = 10_000;

interface RendererOptions {
  readonly contract: Contract;
  readonly behaviors: Behaviors;
}

/** Renders the cards of an account. Each version of a card is checked and converted to text. Further responses that contain this version reuse the text. */
export class CardRenderer {
  /** Undefined if responses need no formatting. */
  readonly format: JsonFormat | undefined;
  readonly #byId = new Map<string, RenderedCard>();
  readonly #contract: Contract;
  readonly #toJson: (card: CardRecord) => unknown;

  constructor({ contract, behaviors }: RendererOptions, pages: CardPages = noPages()) {
    this.#contract = contract;
    const format = jsonFormatOf(behaviors);
    this.format = format;
    const whole = (card: CardRecord) => giftCardOf(card, pages);
    const shown = hasDefaultLook(behaviors) ? whole : (card: CardRecord) => withBehaviors(whole(card), card, behaviors);
    this.#toJson = format ? (card) => format(shown(card)) : shown;
  }

  /** Throws if the card breaks the contract. */
  render(card: CardRecord): RenderedCard {
    const before = this.#byId.get(card.id);
    // Records are immutable, so the text of the same record is still valid.
    if (before?.card === card) return before;
    const rendered = new RenderedCard(card, this.#contract.write('GiftCard', this.#toJson(card), card.id));
    // A text needs as much memory as the rest of its card.
    if (this.#byId.size >= MAX_KEPT) this.#byId.clear();
    this.#byId.set(card.id, rendered);
    return rendered;
  }

  /** Renders the changed cards before any change is applied. Throws if a card breaks the contract. */
  renderChanged(changes: readonly Change[]): void {
    for (const change of changes) if (change.table === 'cards') this.render(change.put);
  }
}

/** The place of the card pages. The mock sets the origin when it listens. */
export interface CardPages {
  origin: string;
}

/** The place before the mock listens, and without a socket. The domain .example never exists, so no link works. */
export function noPages(): CardPages {
  return { origin: 'https://cards.sandbox.example' };
}

/** The links that the service shows. The sandbox shows the same page at each of them (dashboard/card-page.ts). */
export function linksOf({ id }: CardRecord, { origin }: CardPages) {
  const base = `${origin}/card/${id}`;
  return {
    viewBalance: `${base}/balance`,
    appleWallet: `${base}/wallet/apple`,
    googleWallet: `${base}/wallet/google`,
    pdf: `${base}/pdf`,
    giftToFriend: `${base}/gift`,
  };
}

/** gift-card.deleted-shown-as */
export function statusShown({ status, deletedAt }: CardRecord, behaviors: Behaviors): CardRecord['status'] {
  return deletedAt !== null && behaviors['gift-card.deleted-shown-as'] === 'Voided' ? 'Voided' : status;
}

/** Returns a short card for List: the properties that the specification names, except customField1 to customField3 (list.elements). */
export function excerptOf(card: CardRecord, behaviors: Behaviors, pages: CardPages) {
  const { id, code, balance, currency, viewBalanceUrl, appleWalletUrl, googleWalletUrl } = giftCardOf(card, pages);
  const status = statusShown(card, behaviors);
  return { id, code, balance, currency, status, viewBalanceUrl, appleWalletUrl, googleWalletUrl };
}

export type CardExcerpt = ReturnType<typeof excerptOf>;

/** Returns the card in the contract's names. Overrides rename the properties later. */
function giftCardOf(card: CardRecord, pages: CardPages): GiftCard {
  const links = linksOf(card, pages);
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
    giftScheduledForUtc: formatTime(card.giftScheduledFor),
    disableEmails: card.disableEmails,
    isPromotional: card.isPromotional,
    customField1: card.customField1,
    customField2: card.customField2,
    customField3: card.customField3,
    notes: card.notes,
    uniqueId: card.uniqueId,
    expiresAtUtc: formatTime(card.expiresAt),
    createdAtUtc: formatTime(card.createdAt),
    updatedAtUtc: formatTime(card.updatedAt),
    viewBalanceUrl: links.viewBalance,
    appleWalletUrl: links.appleWallet,
    googleWalletUrl: links.googleWallet,
  };
}

/** The properties that the specification names ("Gift card: response, text 1"). */
const NAMED = [
  'id',
  'code',
  'balance',
  'currency',
  'status',
  'customField1',
  'customField2',
  'customField3',
  'viewBalanceUrl',
  'appleWalletUrl',
  'googleWalletUrl',
] as const satisfies readonly (keyof GiftCard)[];

function hasDefaultLook(behaviors: Behaviors): boolean {
  return (
    behaviors['gift-card.response.further-properties'] === 'those-of-the-request' &&
    behaviors['gift-card.deleted-shown-as'] === 'as-it-was'
  );
}

function withBehaviors(whole: GiftCard, card: CardRecord, behaviors: Behaviors): Partial<GiftCard> {
  const shown = { ...whole, status: statusShown(card, behaviors) };
  if (behaviors['gift-card.response.further-properties'] === 'those-of-the-request') return shown;
  return Object.fromEntries(NAMED.map((name) => [name, shown[name]])) as Partial<GiftCard>;
}

/** Formats the dates and nulls of a value as the behaviors require. Skips each RenderedCard, because its text is already formatted. */
type JsonFormat = (response: unknown) => unknown;

/** Returns undefined for the default behaviors, which need no formatting. */
function jsonFormatOf(behaviors: Behaviors): JsonFormat | undefined {
  const dateForm = behaviors['http.date-form'];
  const omitsNull = behaviors['http.valueless-properties'] === 'left-out';
  if (dateForm === 'milliseconds-and-z' && !omitsNull) return undefined;
  const format: JsonFormat = (value) => {
    if (typeof value !== 'object' || value === null || value instanceof RenderedCard) return value;
    if (Array.isArray(value)) return value.map(format);
    const entries: [string, unknown][] = [];
    for (const [name, inner] of Object.entries(value)) {
      if (inner === null && omitsNull) continue;
      const isDate = typeof inner === 'string' && /(?:Utc|_utc)$/.test(name);
      entries.push([name, isDate ? inDateForm(inner, dateForm) : format(inner)]);
    }
    return Object.fromEntries(entries);
  };
  return format;
}

/** http.date-form. `text` has milliseconds and Z. */
function inDateForm(text: string, form: Behaviors['http.date-form']): string {
  if (form === 'milliseconds-and-z') return text;
  return form === 'seconds-and-z' ? text.replace(/\.\d+Z$/, 'Z') : text.replace(/Z$/, '');
}
