import { gap, isBefore, LATE, type Span, withinDay } from './span.ts';

/** A balance that was answered. */
export interface Look {
  readonly span: Span;
  readonly balance: number;
  readonly status: unknown;
}

/** Something that moved the balance, or may have. */
export interface Change {
  readonly span: Span;
  /** Undefined where nobody knows by how much. */
  readonly amount: number | undefined;
  /** No answer says that it happened. */
  readonly inDoubt: boolean;
  readonly notes: string | undefined;
  /** In milliseconds; undefined where it cannot be read. */
  readonly actionedAt: number | undefined;
}

export interface Voiding {
  readonly span: Span;
  readonly by: 'code' | 'ID';
  readonly inDoubt: boolean;
}

/** What a create asked for and got. */
export interface Making {
  readonly span: Span;
  /** As it was answered. */
  readonly code: string;
  readonly customFields: Readonly<Record<string, string>>;
  /** Of recipient and buyer. */
  readonly addresses: readonly string[];
  /** By the target's clock, where it shows one, in milliseconds. */
  readonly issuedAt: number | undefined;
  /** As it was answered. */
  readonly balance: unknown;
  /** Something is to become of it later, by an expiry or a gift that is for later. */
  readonly hasPlans: boolean;
}

/** What has been seen of a card: no more than that. */
export class SeenCard {
  /** How it is called where people read of it. */
  readonly name: string;
  id: string | undefined;
  code: string | undefined;
  made: Making | undefined;
  /** Since when it is surely there, by the first exchange that showed it. */
  known: Span | undefined;
  /** Nothing but a list with the deleted cards has shown it first. */
  maybeDeleted = false;
  readonly looks: Look[] = [];
  /** By status, the first exchange that showed it so, in a list, too. */
  readonly shownAs = new Map<unknown, Span>();
  readonly changes: Change[] = [];
  readonly voids: Voiding[] = [];
  /** Adjustments that were refused. */
  readonly refusals: {
    readonly span: Span;
    readonly notes: string | undefined;
    readonly amount: number | undefined;
  }[] = [];
  /** Looks that did not find it. */
  readonly missed: { readonly span: Span; readonly by: 'code' | 'ID' }[] = [];
  /** What was answered before says nothing any more. */
  forgottenAt = 0;

  constructor(name: string) {
    this.name = name;
  }

  isKnownBefore(span: Span): boolean {
    return this.known !== undefined && isBefore(this.known, span);
  }

  /** A void that surely went before. */
  voidBefore(span: Span): Voiding | undefined {
    return this.voids.find((each) => !each.inDoubt && isBefore(each.span, span));
  }

  /** Whether it may have been voided when the other exchange was over. */
  mayBeVoidedAt(span: Span): boolean {
    const shown = this.shownAs.get('Voided');
    return this.voids.some((each) => !isBefore(span, each.span)) || (shown !== undefined && !isBefore(span, shown));
  }

  /** The last look that was over when that began. */
  lookBefore(span: Span): Look | undefined {
    return this.looks.findLast((each) => isBefore(each.span, span) && each.span.ended > this.forgottenAt);
  }

  /** One that was never seen otherwise may have been voided before anything passed here, and been adjusted since. */
  isSeenInUseBefore(span: Span): boolean {
    const isInUse = (status: unknown) => status !== undefined && status !== 'Voided';
    return this.made !== undefined || [...this.shownAs].some(([status, shown]) => isInUse(status) && isBefore(shown, span));
  }

  /** Made here, and nothing is to become of it by itself by then: no expiry of its own, and none that an account has for all its cards, which is longer than a day. */
  isStillAt(span: Span): boolean {
    return this.made !== undefined && !this.made.hasPlans && withinDay(this.made.span, span);
  }

  addLook(look: Look): void {
    this.looks.push(look);
    if (this.looks.length > mostLooks) this.looks.shift();
  }

  forget(at: number): void {
    this.forgottenAt = Math.max(this.forgottenAt, at);
  }
}

const mostLooks = 100;

/** What the balance can have been when an exchange was under way, by the last look and what passed since. */
export interface Reckoning {
  readonly from: Look;
  /** What surely came between, and of what order nobody knows. */
  readonly surely: readonly Change[];
  readonly perhaps: readonly Change[];
  /** With everything that surely came between. */
  readonly balance: number;
  readonly most: number;
}

/** Undefined where too little is known: no look before, an amount or a void that nobody knows, or more orders than are worth trying. */
export function reckon(card: SeenCard, span: Span): Reckoning | undefined {
  const from = card.lookBefore(span);
  if (!from || card.voids.some((each) => isBetween(each, from.span, span))) return undefined;
  const surely: Change[] = [];
  const perhaps: Change[] = [];
  for (let index = card.changes.length - 1; index >= 0; index -= 1) {
    const change = card.changes[index] as Change;
    if (change.span.n === span.n) continue;
    if (isBefore(change.span, from.span)) {
      // They stand in the order of their ends.
      if (gap(change.span, from.span) > LATE) break;
      if (!change.inDoubt) continue;
    }
    if (isBefore(span, change.span)) continue;
    if (change.amount === undefined) return undefined;
    const isSure = !change.inDoubt && isBefore(from.span, change.span) && isBefore(change.span, span);
    (isSure ? surely : perhaps).push(change);
  }
  if (perhaps.length > mostOrders) return undefined;
  const balance = from.balance + sumOf(surely);
  // Oldest first, as they came.
  surely.reverse();
  return { from, surely, perhaps, balance, most: balance + sumOf(perhaps.filter(({ amount = 0 }) => amount > 0)) };
}

/** Whether some order and choice of what perhaps came between leads to that balance. */
export function explains({ balance, perhaps }: Reckoning, seen: number): boolean {
  let sums = [balance];
  for (const { amount = 0 } of perhaps) sums = [...sums, ...sums.map((sum) => sum + amount)];
  return sums.some((sum) => isSame(sum, seen));
}

/** Whether that balance is what comes of it where some of what passed did not count. */
export const isShort = ({ from, surely, perhaps, ...reckoned }: Reckoning, seen: number): boolean =>
  surely.length + perhaps.length <= mostOrders &&
  explains({ ...reckoned, from, surely, balance: from.balance, perhaps: [...surely, ...perhaps] }, seen);

const mostOrders = 12;

/** Equal as money: binary fractions of an honest sum are no difference. */
export const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 1e-6 + 1e-12 * Math.abs(one);

const sumOf = (changes: readonly Change[]) => changes.reduce((sum, { amount = 0 }) => sum + amount, 0);

const isBetween = ({ span, inDoubt }: Voiding, from: Span, to: Span) =>
  !isBefore(to, span) && (!isBefore(span, from) || (inDoubt && gap(span, from) < LATE));
