import { foldOf, guidFold } from '../proxy/pseudonymizer.ts';
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

interface Passed {
  readonly span: Span;
  readonly inDoubt: boolean;
}
const byEnd = (a: Passed, b: Passed): number => a.span.ended - b.span.ended;
const inDoubt = <T extends Passed>(each: T): T => ({ ...each, inDoubt: true });

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
    const isLate = ({ span, inDoubt }: Passed) => !isBefore(span, made) || (inDoubt && gap(span, made) < LATE);
    for (const other of this.holdersOf(code)) {
      if (other === card) continue;
      const doubtful = <T extends Passed>(each: T): T => (isLate(each) ? inDoubt(each) : each);
      other.changes.splice(0, other.changes.length, ...other.changes.map(doubtful));
      other.voids.splice(0, other.voids.length, ...other.voids.map(doubtful));
      card.changes.unshift(...other.changes.filter(isLate));
      card.voids.unshift(...other.voids.filter(isLate));
    }
  }

  /** A code that a card has was asked for again, and no answer says whether another one has it now. */
  perhapsGiven(code: string, asked: Span): void {
    const card = this.#byCode.get(code);
    if (!card || (card.id === undefined && !card.known)) return;
    const other = new SeenCard(`${card.name}?`);
    this.#holders.set(code, [...this.holdersOf(code), other]);
    this.handOver(other, code, asked);
  }

  /** The other cards that may be meant by the code of one: which of several that have had it, nobody knows who does not see them all. */
  othersMeant(card: SeenCard): readonly SeenCard[] {
    return card.code === undefined ? [] : this.holdersOf(card.code).filter((each) => each !== card);
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

  /** The card that an answer shows, with its code and its id; where it is gone, its code may have led to another one. */
  shown(code: string, id: string, isGone = false): SeenCard {
    const [one, other] = [this.#byId.get(id), this.#byCode.get(code)];
    if (one && one.code === code) return one;
    // The service itself writes its ID in another letter case.
    if (other?.id !== undefined && other.id !== id && guidFold(id) !== undefined && guidFold(other.id) === guidFold(id)) {
      if (one) this.#join(other, one);
      this.#byId.set(id, other);
      this.#spelt('ID', id);
      return other;
    }
    // A code that another card has had is free again, which is nobody's fault.
    const isHalf = other?.id === undefined && other?.voids.length === 0 && !(isGone && other.changes.length > 0);
    const half = isHalf ? other : undefined;
    const card = one ?? half ?? this.#add();
    if (one && half) this.#join(one, half);
    // What was voided by its code alone may be this one or one before it.
    for (const each of this.holdersOf(code)) {
      if (each === card || each.id !== undefined) continue;
      card.changes.push(...each.changes.map(inDoubt));
      card.changes.sort(byEnd);
      card.voids.push(...each.voids.map(inDoubt));
    }
    if (card.id === undefined) this.#id(card, id);
    this.#code(card, code);
    return card;
  }

  /** The card that a create has made. What is known of its code alone may be of one before it, whose create got no answer, or that others made. */
  created(code: string, id: string): SeenCard {
    const other = this.#byCode.get(code);
    if (
      this.#byId.has(id) ||
      !other ||
      other.id !== undefined ||
      (!other.known && other.changes.length + other.voids.length === 0)
    )
      return this.shown(code, id);
    const card = this.#add();
    this.#id(card, id);
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
    return (
      card.mayBeVoidedAt(span) ||
      isForgotten ||
      this.hasOtherSpelling(card) ||
      this.#otherHalves(card).some((each) => each.mayBeVoidedAt(span))
    );
  }

  /** Whether its code and its uniqueId may be free again: which is open for a card that is voided, and stated nowhere for one that has expired. */
  mayBeGoneAt(card: SeenCard, span: Span): boolean {
    return (
      this.mayBeVoidedAt(card, span) ||
      // Known by its code alone, it may be another one that has had the code.
      (card.id === undefined && card.code !== undefined && this.holdersOf(card.code).length > 1) ||
      !card.isStillAt(span) ||
      card.shownAs.has('Expired')
    );
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
    card.changes.push(...other.changes);
    card.changes.sort(byEnd);
    card.voids.push(...other.voids);
    card.refusals.push(...other.refusals);
    card.missed.push(...other.missed);
    card.made ??= other.made;
    if (other.known && (!card.known || other.known.ended < card.known.ended)) card.known = other.known;
    const index = this.cards.indexOf(other);
    if (index >= 0) this.cards.splice(index, 1);
    for (const [code, holders] of this.#holders)
      if (holders.includes(other))
        this.#holders.set(
          code,
          holders.filter((each) => each !== other),
        );
  }

  /** Those known by their code alone, of one known by its ID alone, and the other way round: any of them may be the same card. */
  #otherHalves({ code, id }: SeenCard): readonly SeenCard[] {
    if (code !== undefined && id !== undefined) return [];
    return this.cards.filter((each) => (code === undefined ? each.id === undefined : each.code === undefined));
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
