import { decimalsOf } from '../../openapi/currency.ts';
import {
  type By,
  type CardNames,
  isBefore,
  isWithinDay,
  LATE,
  type ObservedCall,
  overlaps,
  type Span,
  timeBetween,
} from './call.ts';

/** A write that may have changed a card. The oracle does not know whether it did. */
interface UncertainChange {
  readonly span: Span;
  readonly by: By;
  /** The card's code or ID. Undefined if the write may have changed any card. */
  readonly name: string | undefined;
  /** False for a write without a response, which may take effect later. */
  readonly hasResponse: boolean;
}

/** The account of one key. The oracle learns its records from the exchanges. */
export class KnownAccount {
  readonly cards: KnownCard[] = [];
  /** Accepted calls by unique value. */
  readonly uniqueIds = new Map<string, ObservedCall[]>();
  readonly uniqueAdjustmentIds = new Map<string, ObservedCall[]>();
  /** The number of requests with each unique value. */
  readonly timesSent = new Map<string, number>();
  /** The first accepted exchange of each operation. */
  readonly accepted = new Map<string, Span>();
  currency: string | undefined;
  /** Cards by ID. The IDs are in lower case, because services may ignore letter case. */
  readonly #byId = new Map<string, KnownCard>();
  /** Cards by code. The codes are trimmed and in lower case, because services may ignore blanks and letter case. */
  readonly #byCode = new Map<string, KnownCard[]>();
  readonly #uncertainChanges: UncertainChange[] = [];
  /** Shared by all accounts, so that each card has its own number in messages. */
  readonly #counter: { cards: number };

  constructor(counter: { cards: number }) {
    this.#counter = counter;
  }

  get decimals(): number {
    return decimalsOf(this.currency);
  }

  hasAcceptedBefore({ operation, span }: ObservedCall): boolean {
    const accepted = this.accepted.get(operation);
    return accepted !== undefined && isBefore(accepted, span);
  }

  cardById(id: string): KnownCard | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  holdersOf(code: string): readonly KnownCard[] {
    return this.#cardsLike(code).filter((card) => card.code === code);
  }

  /** Returns the only known card that a name can mean. Returns undefined if another card has the code, or a code that differs only in letter case or blanks. */
  onlyCard(by: By, name: string | undefined): KnownCard | undefined {
    if (name === undefined) return undefined;
    if (by === 'ID') return this.cardById(name);
    const [card, ...others] = this.#cardsLike(name);
    return others.length === 0 && card?.code === name ? card : undefined;
  }

  findOrAdd({ code, id }: CardNames, span: Span): KnownCard {
    return this.cardById(id) ?? this.#add(code, id, span);
  }

  /** Records a create with this code whose outcome is unknown. Another card may now have the code. */
  addUncertainCreate(code: string): void {
    const known = this.#cardsLike(code);
    if (known.length > 0) this.#byCode.set(fold(code), [...known, new KnownCard('another card', code, '')]);
  }

  /** Records a write if its effect is unknown, or if it may have changed one of several cards. */
  addUncertainChange(change: UncertainChange): void {
    this.#uncertainChanges.push(change);
    for (const card of this.cards) if (mayMean(change, card)) card.uncertainChanges.push(change.span);
  }

  #cardsLike(code: string): readonly KnownCard[] {
    return this.#byCode.get(fold(code)) ?? [];
  }

  #add(code: string, id: string, span: Span): KnownCard {
    this.#counter.cards += 1;
    const card = new KnownCard(`card#${this.#counter.cards}`, code, id);
    const isOpen = (change: UncertainChange) =>
      overlaps(change.span, span) || (!change.hasResponse && timeBetween(change.span, span) < LATE);
    const open = this.#uncertainChanges.filter((change) => mayMean(change, card) && isOpen(change));
    card.uncertainChanges.push(...open.map((change) => change.span));
    this.cards.push(card);
    this.#byId.set(id.toLowerCase(), card);
    this.#byCode.set(fold(code), [...this.#cardsLike(code), card]);
    return card;
  }
}

const fold = (code: string) => code.trim().toLowerCase();

const mayMean = ({ by, name }: UncertainChange, { code, id }: KnownCard): boolean =>
  name === undefined || fold(name) === fold(by === 'ID' ? id : code);

/** A look-up that showed the balance of a card. */
interface LookUp {
  readonly span: Span;
  readonly balance: number;
  readonly status: unknown;
}

export interface KnownAdjustment {
  readonly span: Span;
  /** Undefined if the specification does not state the effect of the amount. */
  readonly amount: number | undefined;
  /** Undefined for a time without a zone. */
  readonly actionedAt: number | undefined;
}

export class KnownCard {
  /** The name in messages, such as card#1. */
  readonly name: string;
  readonly id: string;
  readonly code: string;
  /** The call that created the card. */
  creation: ObservedCall | undefined;
  firstExchange: Span | undefined;
  readonly lookUps: LookUp[] = [];
  /** The first exchange that showed each status. */
  readonly statuses = new Map<unknown, Span>();
  readonly adjustments: KnownAdjustment[] = [];
  readonly refusedAdjustments: KnownAdjustment[] = [];
  readonly voids: ObservedCall[] = [];
  /** Requests that may have changed or voided the card. Such a request has no response, or may mean another card. */
  readonly uncertainChanges: Span[] = [];

  constructor(name: string, code: string, id: string) {
    this.name = name;
    this.code = code;
    this.id = id;
  }

  /** Reports whether the name equals the code or the ID exactly. A service need not find the card by another spelling. */
  isNamedExactly(name: string | undefined): boolean {
    return name === this.code || name === this.id;
  }

  shownBefore(span: Span): Span | undefined {
    return this.firstExchange && isBefore(this.firstExchange, span) ? this.firstExchange : undefined;
  }

  voidBefore(span: Span): ObservedCall | undefined {
    return this.voids.find((each) => isBefore(each.span, span));
  }

  lookUpBefore(span: Span): LookUp | undefined {
    return this.lookUps.findLast((each) => isBefore(each.span, span));
  }

  /** Reports whether an uncertain request may have taken effect between the two exchanges, or during one of the two. */
  isUncertain(from: Span, to: Span): boolean {
    return this.uncertainChanges.some((each) => !isBefore(to, each) && (!isBefore(each, from) || timeBetween(each, from) < LATE));
  }

  mayBeVoided(span: Span): boolean {
    const causes = [...this.voids.map((each) => each.span), ...this.uncertainChanges, this.statuses.get('Voided')];
    return causes.some((each) => each !== undefined && !isBefore(span, each));
  }

  /** Reports whether the card cannot have expired: the client created the card less than a day ago, without an expiry or a scheduled gift. */
  isUnexpired(span: Span): boolean {
    if (!this.creation || this.statuses.has('Expired')) return false;
    const { expiresAtUtc, giftScheduledForUtc } = this.creation.request ?? {};
    return (expiresAtUtc ?? giftScheduledForUtc ?? undefined) === undefined && isWithinDay(this.creation.span, span);
  }

  /** Reports whether the card is possibly voided, expired or deleted. If it is, another card can have its code and its uniqueId. */
  mayBeGone(span: Span): boolean {
    return this.mayBeVoided(span) || !this.isUnexpired(span);
  }

  /** Reports whether an earlier exchange showed that the card was not voided. A void after that exchange must change the card. */
  wasInUseBefore(span: Span): boolean {
    const isInUse = ([status, first]: [unknown, Span]) => status !== 'Voided' && status !== undefined && isBefore(first, span);
    return this.creation !== undefined || [...this.statuses].some(isInUse);
  }
}

/**
 * Returns the balance that a card must have: the balance in the last look-up plus the later adjustments. Returns undefined if another request may have
 * changed the balance, or if an adjustment overlaps the last look-up or the current exchange.
 */
export function expectedBalance(card: KnownCard, span: Span) {
  const from = card.lookUpBefore(span);
  if (!from || card.isUncertain(from.span, span)) return undefined;
  const isSince = (each: { readonly span: Span }) => !isBefore(each.span, from.span) && !isBefore(span, each.span);
  if (card.voids.some(isSince)) return undefined;
  const changes = card.adjustments.filter((each) => each.span.n !== span.n && isSince(each));
  if (changes.some((each) => overlaps(each.span, from.span) || overlaps(each.span, span))) return undefined;
  // The specification does not state the effect of an adjustment on a voided or expired card.
  if (changes.length > 0 && (from.status === 'Voided' || from.status === 'Expired')) return undefined;
  if (changes.some(({ amount }) => amount === undefined)) return undefined;
  return { from, changes, balance: changes.reduce((sum, { amount = 0 }) => sum + amount, from.balance) };
}

/** Compares amounts with a tolerance for binary fractions. */
export const isSameAmount = (one: number, other: number): boolean => Math.abs(one - other) < 1e-6 + 1e-12 * Math.abs(one);

/** Returns the amount. Returns undefined if the value is not a number, or if the number has too many decimals. */
export function amountIn(value: unknown, decimals: number): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Math.abs(value - Number(value.toFixed(decimals))) < 1e-9 ? value : undefined;
}
