import { foldOf, guidFold } from '../veil.ts';
import { SeenCard } from './card.ts';
import { SeenCurrency } from './currency.ts';
import { SeenEvents } from './events.ts';
import { SeenHooks } from './hooks.ts';
import type { SeenPage } from './order.ts';
import { gap, isBefore, LATE, overlap, type Span } from './span.ts';

/** A unique value that was taken with success. */
export interface Use {
  readonly span: Span;
  readonly card: SeenCard;
  readonly by: 'code' | 'ID' | 'create';
  /** Of an adjustment, what it asked for. */
  readonly content: string;
}

type By = 'code' | 'ID';

/** What has been seen of the account of a key. */
export class SeenAccount {
  readonly cards: SeenCard[] = [];
  readonly uniqueIds = new Map<string, Use[]>();
  readonly uniqueAdjustmentIds = new Map<string, Use[]>();
  readonly #byId = new Map<string, SeenCard>();
  readonly #byCode = new Map<string, SeenCard>();
  readonly #holders = new Map<string, SeenCard[]>();
  /** By code or id in the loosest way of reading it, because how exactly it is read is open for all but looking up. */
  readonly #byFold = new Map<string, Set<string>>();
  /** Of creates that were taken, what they asked for beside code and uniqueId. */
  readonly contents = new Set<string>();
  readonly currency = new SeenCurrency();
  /** Requests that may have moved cards, in the order of their ends; one that may have moved many stands there several times. */
  readonly stirs: Span[] = [];
  readonly hooks = new SeenHooks(this.stirs);
  readonly events = new SeenEvents();
  page: SeenPage | undefined;
  /** The first exchange that the key was good for. */
  worked: Span | undefined;
  /** By operation, the first adjustment that was taken. */
  readonly taken = new Map<string, Span>();
  /** How far the moment of an adjustment that was taken stood from when it was sent, at most, in milliseconds; below 0 in the past. */
  latestTaken = Number.NEGATIVE_INFINITY;
  /** The history with most entries that was answered. */
  longest: { readonly span: Span; readonly length: number } | undefined;
  /** The last request that may have moved or made a card, and may do so still. */
  inDoubt: Span | undefined;
  readonly #sent = new Map<string, number>();
  readonly #count: () => number;

  constructor(count: () => number) {
    this.#count = count;
  }

  byCode(code: string): SeenCard | undefined {
    return this.#byCode.get(code);
  }

  byId(id: string): SeenCard | undefined {
    return this.#byId.get(id);
  }

  /** All cards that have, or have had, the code. */
  holdersOf(code: string): readonly SeenCard[] {
    return this.#holders.get(code) ?? [];
  }

  /** A new card has a code that others have had: what was sent by it and may not have come about by then, or came about at once, may be of any of them. */
  handOver(card: SeenCard, code: string, made: Span): void {
    const isLate = ({ span, inDoubt }: { readonly span: Span; readonly inDoubt: boolean }) =>
      !isBefore(span, made) || (inDoubt && gap(span, made) < LATE);
    for (const other of this.holdersOf(code)) {
      if (other === card) continue;
      const doubtful = <T extends { readonly span: Span; readonly inDoubt: boolean }>(each: T): T =>
        isLate(each) ? { ...each, inDoubt: true } : each;
      other.changes.splice(0, other.changes.length, ...other.changes.map(doubtful));
      other.voids.splice(0, other.voids.length, ...other.voids.map(doubtful));
      card.changes.unshift(...other.changes.filter(isLate));
      card.voids.unshift(...other.voids.filter(isLate));
    }
  }

  /** The other cards that may have been meant by the code of one, because it was made at once. */
  othersMeant(card: SeenCard, span: Span): readonly SeenCard[] {
    const isAtOnce = card.code !== undefined && card.made !== undefined && overlap(card.made.span, span);
    return isAtOnce ? this.holdersOf(card.code ?? '').filter((each) => each !== card) : [];
  }

  /** A unique value was sent, whatever came of it. */
  send(unique: string): void {
    this.#sent.set(unique, this.timesSent(unique) + 1);
  }

  timesSent(unique: string): number {
    return this.#sent.get(unique) ?? 0;
  }

  /** The card that a request names, which from now on is one of those that have been asked for. */
  named(by: By, value: string): SeenCard {
    const known = by === 'code' ? this.#byCode.get(value) : this.#byId.get(value);
    if (known) return known;
    const card = this.#add();
    if (by === 'code') this.#code(card, value);
    else this.#id(card, value);
    return card;
  }

  /** The card that an answer shows, with its code and its id. */
  shown(code: string, id: string): SeenCard {
    const [one, other] = [this.#byId.get(id), this.#byCode.get(code)];
    if (one && one === other) return one;
    // The service itself writes its ID in another letter case.
    if (other?.id !== undefined && other.id !== id && guidFold(id) !== undefined && guidFold(other.id) === guidFold(id)) {
      if (one) this.#join(other, one);
      this.#byId.set(id, other);
      this.#spelt('ID', id);
      return other;
    }
    // A code that another card has had is free again, which is nobody's fault.
    const card = one ?? (other?.id === undefined ? other : undefined) ?? this.#add();
    if (one && other && other.id === undefined) this.#join(one, other);
    if (card.id === undefined) this.#id(card, id);
    this.#code(card, code);
    return card;
  }

  /** Whether another spelling of the code or id has been used, that may mean the same card. */
  hasOtherSpelling(card: SeenCard): boolean {
    const spellings = (by: By, value = '') => this.#byFold.get(`${by} ${foldOf(value)}`)?.size ?? 0;
    return spellings('code', card.code) > 1 || spellings('ID', card.id) > 1;
  }

  /** Whether it may have been voided when the other exchange was over, by what passed, in whatever way it was named there. */
  mayBeVoidedAt(card: SeenCard, span: Span): boolean {
    const isForgotten = card.forgottenAt > (card.known?.ended ?? 0) && !card.lookBefore(span);
    return card.mayBeVoidedAt(span) || isForgotten || this.hasOtherSpelling(card);
  }

  /** Whether something else may have made or moved a card while that was under way. */
  mayBeStirredAt(span: Span): boolean {
    const isLate = this.inDoubt !== undefined && gap(this.inDoubt, span) < LATE;
    return isLate || this.stirs.some((each) => overlap(each, span));
  }

  forget(at: number): void {
    for (const card of this.cards) card.forget(at);
  }

  /** One that was known by its code alone turns out to be one that was known by its id. */
  #join(card: SeenCard, other: SeenCard): void {
    const byEnd = (a: { readonly span: Span }, b: { readonly span: Span }) => a.span.ended - b.span.ended;
    card.changes.push(...other.changes);
    card.changes.sort(byEnd);
    card.voids.push(...other.voids);
    card.refusals.push(...other.refusals);
    card.missed.push(...other.missed);
    card.made ??= other.made;
    if (other.known && (!card.known || other.known.ended < card.known.ended)) card.known = other.known;
    const index = this.cards.indexOf(other);
    if (index >= 0) this.cards.splice(index, 1);
  }

  #add(): SeenCard {
    const card = new SeenCard(`card#${this.#count()}`);
    this.cards.push(card);
    return card;
  }

  #code(card: SeenCard, code: string): void {
    card.code = code;
    this.#byCode.set(code, card);
    const holders = this.#holders.get(code) ?? [];
    if (!holders.includes(card)) this.#holders.set(code, [...holders, card]);
    this.#spelt('code', code);
  }

  #id(card: SeenCard, id: string): void {
    card.id = id;
    this.#byId.set(id, card);
    this.#spelt('ID', id);
  }

  #spelt(by: By, value: string): void {
    const fold = `${by} ${foldOf(value)}`;
    const spellings = this.#byFold.get(fold) ?? new Set();
    this.#byFold.set(fold, spellings.add(value));
  }
}
