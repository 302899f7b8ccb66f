import { decimalsOf } from '../http/account-format.ts';
import { type By, type CardNames, isBefore, isWithinDay, LATE, overlaps, pause, type Span } from './call.ts';

/** A unique value that the service accepted. */
export interface UniqueUse {
  readonly span: Span;
  readonly operation: string;
  /** The whole request as JSON. */
  readonly request: string;
  /** The card that was created with it; undefined for an adjustment. */
  readonly card?: KnownCard;
}

/** A write that may have changed a card. */
interface Doubt {
  readonly span: Span;
  readonly by: By;
  /** Undefined: it may mean any card. */
  readonly name: string | undefined;
  /** An answered write does not take effect later. */
  readonly isAnswered: boolean;
}

/** What the exchanges so far show about the account of one key. */
export class Account {
  readonly cards: KnownCard[] = [];
  readonly uniqueIds = new Map<string, UniqueUse[]>();
  readonly uniqueAdjustmentIds = new Map<string, UniqueUse[]>();
  /** How often each unique value was sent. */
  readonly timesSent = new Map<string, number>();
  /** By operation, the first exchange that was accepted. */
  readonly accepted = new Map<string, Span>();
  /** The currency of the first card in an answer. */
  currency: string | undefined;
  /** By ID in lower case: services may ignore the letter case of an ID. */
  readonly #byId = new Map<string, KnownCard>();
  /** By code in lower case and trimmed: services may ignore both. */
  readonly #byCode = new Map<string, KnownCard[]>();
  /** Uncertain writes, for cards that an answer shows later. */
  readonly #doubts: Doubt[] = [];
  readonly #nextNumber: () => number;

  constructor(nextNumber: () => number) {
    this.#nextNumber = nextNumber;
  }

  /** Two until an answer has shown a card. */
  get decimals(): number {
    return decimalsOf(this.currency);
  }

  cardById(id: string): KnownCard | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /** All cards that have the code. */
  holdersOf(code: string): readonly KnownCard[] {
    return this.#cardsLike(code).filter((card) => card.code === code);
  }

  /** The only known card that a name can mean. Undefined if two cards have the code, or another card has a similar code. */
  onlyCard(by: By, name: string | undefined): KnownCard | undefined {
    if (name === undefined) return undefined;
    if (by === 'ID') return this.cardById(name);
    const [card, ...others] = this.#cardsLike(name);
    return others.length === 0 && card?.code === name ? card : undefined;
  }

  /** The card of an answer; adds it if it is not known yet. */
  cardOf({ code, id }: CardNames, span: Span): KnownCard {
    return this.cardById(id) ?? this.#add(code, id, span);
  }

  /** The card that a create returned. */
  createdCard(names: CardNames, span: Span): KnownCard {
    const isAdditional = !this.cardById(names.id) && this.holdersOf(names.code).length > 0;
    const card = this.cardOf(names, span);
    // A request by that code may have been meant for either card.
    if (isAdditional) card.doubts.push(span);
    return card;
  }

  /** Notes a create without an answer, which may have given the code to another card. */
  doubtCode(code: string): void {
    const known = this.#cardsLike(code);
    if (known.length > 0) this.#byCode.set(fold(code), [...known, new KnownCard('another card', code, '')]);
  }

  /** Notes a write when it is unclear which card it changed. */
  addDoubt(doubt: Doubt): void {
    this.#doubts.push(doubt);
    for (const card of this.cards) if (mayMean(doubt, card)) card.doubts.push(doubt.span);
  }

  #cardsLike(code: string): readonly KnownCard[] {
    return this.#byCode.get(fold(code)) ?? [];
  }

  #add(code: string, id: string, span: Span): KnownCard {
    const card = new KnownCard(`card#${this.#nextNumber()}`, code, id);
    const isOpen = (doubt: Doubt) => overlaps(doubt.span, span) || (!doubt.isAnswered && pause(doubt.span, span) < LATE);
    card.doubts.push(...this.#doubts.flatMap((doubt) => (mayMean(doubt, card) && isOpen(doubt) ? [doubt.span] : [])));
    this.cards.push(card);
    this.#byId.set(id.toLowerCase(), card);
    this.#byCode.set(fold(code), [...this.#cardsLike(code), card]);
    return card;
  }
}

/** Equal for codes that a service may treat as one. */
const fold = (code: string) => code.trim().toLowerCase();

const mayMean = ({ by, name }: Doubt, { code, id }: KnownCard): boolean =>
  name === undefined || fold(name) === fold(by === 'ID' ? id : code);

/** A balance that an answer showed. */
export interface Look {
  readonly span: Span;
  readonly balance: number;
  readonly status: unknown;
}

/** An adjustment. */
export interface Change {
  readonly span: Span;
  /** Undefined: unreadable, or with more decimals than the currency has, whose effect is open. */
  readonly amount: number | undefined;
}

/** What a create requested and returned. */
export interface Creation {
  readonly span: Span;
  /** The fields that have a text. */
  readonly customFields: Readonly<Record<string, unknown>>;
  /** In milliseconds since 1970, if the answer shows it. */
  readonly issuedAt: number | undefined;
  /** It has an expiry or a scheduled gift, so that it changes by itself. */
  readonly isTimed: boolean;
}

/** What the exchanges so far show about one card. */
export class KnownCard {
  /** For messages. */
  readonly name: string;
  readonly id: string;
  readonly code: string;
  creation: Creation | undefined;
  /** The first exchange that showed that it exists. */
  knownSince: Span | undefined;
  readonly looks: Look[] = [];
  /** By status, the first exchange that showed it. */
  readonly statuses = new Map<unknown, Span>();
  /** Adjustments that the service accepted. */
  readonly changes: Change[] = [];
  /** Adjustments that the service refused. */
  readonly refusals: Change[] = [];
  readonly voids: { readonly span: Span; readonly by: 'code' | 'ID' }[] = [];
  /** Requests that may have changed or voided it: without an answer, or by a code that may mean another card. */
  readonly doubts: Span[] = [];

  constructor(name: string, code: string, id: string) {
    this.name = name;
    this.code = code;
    this.id = id;
  }

  /** Whether the name is its code or ID in the same spelling: a service may not find it under another one. */
  isNamedExactly(name: string | undefined): boolean {
    return name === this.code || name === this.id;
  }

  /** The void that the service completed before. */
  voidBefore(span: Span) {
    return this.voids.find((each) => isBefore(each.span, span));
  }

  lookBefore(span: Span): Look | undefined {
    return this.looks.findLast((each) => isBefore(each.span, span));
  }

  /** Whether a doubtful request may have taken effect between the two exchanges, or during them. */
  isDoubtful(from: Span, to: Span): boolean {
    return this.doubts.some((each) => !isBefore(to, each) && (!isBefore(each, from) || pause(each, from) < LATE));
  }

  /** Whether it may have been voided by the end of the exchange. */
  mayBeVoided(span: Span): boolean {
    const voided = this.statuses.get('Voided');
    return [...this.voids.map((each) => each.span), ...this.doubts, ...(voided ? [voided] : [])].some(
      (each) => !isBefore(span, each),
    );
  }

  /** Created here, and too recent to have expired by itself. */
  isUnexpired(span: Span): boolean {
    const { creation } = this;
    return creation !== undefined && !creation.isTimed && isWithinDay(creation.span, span) && !this.statuses.has('Expired');
  }

  /** Whether its code and its uniqueId may be free for another card, which is open for voided, expired and deleted cards. */
  mayBeGone(span: Span): boolean {
    return this.mayBeVoided(span) || !this.isUnexpired(span);
  }

  /** An exchange showed it in use, so that a void must have changed it. */
  wasInUseBefore(span: Span): boolean {
    const inUse = [...this.statuses].some(
      ([status, first]) => status !== 'Voided' && status !== undefined && isBefore(first, span),
    );
    return this.creation !== undefined || inUse;
  }
}

/** The balance that a card must have, by the last look at it and the adjustments since. */
export interface Expectation {
  readonly from: Look;
  readonly changes: readonly Change[];
  readonly balance: number;
}

/** Undefined if something unknown may have changed the balance, or an adjustment overlaps one of the two looks. */
export function expectedBalance(card: KnownCard, span: Span): Expectation | undefined {
  const from = card.lookBefore(span);
  if (!from || card.isDoubtful(from.span, span)) return undefined;
  const isSince = (each: { readonly span: Span }) => !isBefore(each.span, from.span) && !isBefore(span, each.span);
  if (card.voids.some(isSince)) return undefined;
  const changes = card.changes.filter((each) => each.span.n !== span.n && isSince(each));
  if (changes.some((each) => overlaps(each.span, from.span) || overlaps(each.span, span))) return undefined;
  // The effect of an adjustment on a voided or expired card is open.
  if (changes.length > 0 && (from.status === 'Voided' || from.status === 'Expired')) return undefined;
  if (changes.some(({ amount }) => amount === undefined)) return undefined;
  return { from, changes, balance: changes.reduce((sum, { amount = 0 }) => sum + amount, from.balance) };
}

/** Equal to well below the smallest unit of any currency. */
export const isSameAmount = (one: number, other: number): boolean => Math.abs(one - other) < 1e-6 + 1e-12 * Math.abs(one);

/** Undefined for what is not a number, or has more decimals than the currency, whose effect is open. */
export function amountIn(value: unknown, decimals: number): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Math.abs(value - Number(value.toFixed(decimals))) < 1e-9 ? value : undefined;
}
