import { decimalsOf } from '../http/account-format.ts';
import type { By } from './call.ts';
import { KnownCard } from './card.ts';
import { isBefore, LATE, overlaps, pause, type Span } from './span.ts';

/** A unique value that the service accepted, with the card and the request it was used for. */
export interface Use {
  readonly span: Span;
  readonly card: KnownCard;
  readonly operation: string;
  /** The whole request as JSON. */
  readonly request: string;
}

export interface Registration {
  readonly span: Span;
  readonly url: string;
  /** The answer has the URL as it was given, so that the list has it too. */
  readonly isEchoed: boolean;
}

/** What the exchanges so far show about the account of one key. */
export class Account {
  readonly cards: KnownCard[] = [];
  readonly uniqueIds = new Map<string, Use[]>();
  readonly uniqueAdjustmentIds = new Map<string, Use[]>();
  /** How often each unique value was sent. */
  readonly timesSent = new Map<string, number>();
  /** By operation, the first exchange that was accepted. */
  readonly accepted = new Map<string, Span>();
  /** Requests that created, changed or voided a card, or may have. */
  readonly writes: Span[] = [];
  /** The last request without an answer that may have created or changed a card. */
  lastDoubt: Span | undefined;
  readonly registrations: Registration[] = [];
  /** Requests that deleted a webhook, or may have. */
  readonly deletions: Span[] = [];
  readonly deletedWebhooks: { readonly span: Span; readonly id: string }[] = [];
  /** Events with an idempotency key that ran an automation, by that key. */
  readonly events = new Map<string, { readonly span: Span; readonly request: string }>();
  /** The currency of the first card that was shown. */
  currency: { readonly span: Span; readonly code: string } | undefined;
  /** The last page of the list that was returned. */
  lastPage: { readonly span: Span; readonly query: string; readonly number: number; readonly ids: readonly string[] } | undefined;
  /** By ID in lower case: services may ignore the letter case of an ID. */
  readonly #byId = new Map<string, KnownCard>();
  readonly #byCode = new Map<string, KnownCard[]>();
  /** By code in lower case and trimmed, all spellings. */
  readonly #spellings = new Map<string, Set<string>>();
  readonly #nextNumber: () => number;

  constructor(nextNumber: () => number) {
    this.#nextNumber = nextNumber;
  }

  /** Two until a card was shown. */
  get decimals(): number {
    return this.currency ? decimalsOf(this.currency.code) : 2;
  }

  byId(id: string): KnownCard | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /** All cards that have, or have had, the code. */
  holdersOf(code: string): readonly KnownCard[] {
    return this.#byCode.get(code) ?? [];
  }

  /** The cards that a name may mean: several if a code was given again, or differs from another one in its spelling. Adds the card if none is known. */
  meant(by: By, name: string): readonly KnownCard[] {
    if (by === 'ID') return [this.byId(name) ?? this.#add({ id: name })];
    if (this.holdersOf(name).length === 0) this.#add({ code: name });
    return [...(this.#spellings.get(fold(name)) ?? [])].flatMap((each) => this.holdersOf(each));
  }

  /** The only card that a name can mean. */
  only(by: By, name: string | undefined): KnownCard | undefined {
    if (name === undefined) return undefined;
    const [card, ...others] = this.meant(by, name);
    return others.length === 0 ? card : undefined;
  }

  /** The card that an answer shows with both names. */
  shown(code: string, id: string): KnownCard {
    const known = this.byId(id);
    if (known?.code === code) return known;
    const [half, ...halves] = this.holdersOf(code).filter((each) => each.id === undefined);
    if (half && halves.length > 0) return known ?? this.#withBoth(code, id);
    const card = known ?? half ?? this.#add({ id });
    if (known && half && known !== half) {
      known.merge(half);
      this.#forget(half, code);
    }
    if (card.id === undefined) this.#nameById(card, id);
    if (!this.holdersOf(code).includes(card)) this.#nameByCode(card, code);
    return card;
  }

  /** The card that a create returned: not the one that was known by its code alone before. */
  created(code: string, id: string, span: Span): KnownCard {
    const known = this.byId(id);
    if (known) return this.shown(code, id);
    const others = this.holdersOf(code);
    const card = this.#withBoth(code, id);
    // A request by that code may have been meant for either card.
    if (others.length > 0) card.doubts.push(span);
    return card;
  }

  /** A create without an answer may have given the code to another card. */
  perhapsCreated(code: string, span: Span): void {
    if (this.holdersOf(code).length === 0) return;
    const card = this.#add({});
    card.doubts.push(span);
    this.#nameByCode(card, code);
  }

  /** Whether cards may have been created or changed while the exchange was under way. */
  mayChangeDuring(span: Span): boolean {
    const isLate = this.lastDoubt !== undefined && pause(this.lastDoubt, span) < LATE;
    return isLate || this.writes.some((each) => overlaps(each, span));
  }

  /** Whether nothing created or changed a card between the two exchanges or during them. */
  isQuietBetween(from: Span, to: Span): boolean {
    return this.writes.every((each) => isBefore(to, each) || pause(each, from) > LATE);
  }

  #add({ id, code }: { readonly id?: string; readonly code?: string }): KnownCard {
    const card = new KnownCard(`card#${this.#nextNumber()}`);
    this.cards.push(card);
    if (id !== undefined) this.#nameById(card, id);
    if (code !== undefined) this.#nameByCode(card, code);
    return card;
  }

  #nameById(card: KnownCard, id: string): void {
    card.id = id;
    this.#byId.set(id.toLowerCase(), card);
  }

  #nameByCode(card: KnownCard, code: string): void {
    card.code = code;
    this.#byCode.set(code, [...this.holdersOf(code), card]);
    this.#spellings.set(fold(code), (this.#spellings.get(fold(code)) ?? new Set()).add(code));
  }

  #withBoth(code: string, id: string): KnownCard {
    const card = this.#add({ id });
    this.#nameByCode(card, code);
    return card;
  }

  #forget(card: KnownCard, code: string): void {
    this.cards.splice(this.cards.indexOf(card), 1);
    this.#byCode.set(
      code,
      this.holdersOf(code).filter((each) => each !== card),
    );
  }
}

/** Equal for codes that a service may take for the same. */
const fold = (code: string) => code.trim().toLowerCase();
