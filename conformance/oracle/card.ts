import { isBefore, isWithinDay, LATE, overlaps, pause, type Span } from './span.ts';

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
  readonly balance: unknown;
  readonly customFields: Readonly<Record<string, string>>;
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
