import { decimalsOf } from '../http/account-format.ts';
import type { By, CardNames } from './call.ts';
import { KnownCard } from './card.ts';
import { LATE, overlaps, pause, type Span } from './span.ts';

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
  /** A create without an answer may have given these codes to a second card. */
  readonly #doubtfulCodes = new Set<string>();
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
    return others.length === 0 && card?.code === name && !this.#doubtfulCodes.has(fold(name)) ? card : undefined;
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
    if (this.#cardsLike(code).length > 0) this.#doubtfulCodes.add(fold(code));
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
