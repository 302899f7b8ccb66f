import { plus, toAmount, toMinor } from '../domain/money.ts';
import type { Minor } from '../state/value-types.ts';
import type { Adjustment, Card } from './description.ts';

/** What a described card was issued with, what it holds, and every entry between the two. */
export interface Books {
  readonly initialValue: Minor;
  readonly balance: Minor;
  /** The initial value and every top-up. */
  readonly totalIssued: Minor;
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly amount: Minor;
  /** Missing for the entry that makes up the difference between a given balance and a given initial value. */
  readonly described?: Adjustment;
}

/** What a card is issued with that says nothing of it. */
const DEFAULT_VALUE = 25;

/**
 * Works out what a card's description leaves out: the balance is the initial value and all adjustments, or zero when the card is voided. When
 * only balance and initial value are given and differ, one entry makes up the difference. A contradiction is answered as a sentence.
 * Amounts have been checked: they have no more decimals than the currency.
 */
export function booksOf(card: Card, currency: string): Books | string {
  const minor = (amount: number): Minor => {
    const value = toMinor(amount, currency);
    if (value === undefined) throw new Error(`The amount ${amount} cannot be held in ${currency}.`);
    return value;
  };
  const show = (value: Minor) => String(toAmount(value, currency));
  const adjustments: Entry[] = card.adjustments.map((described) => ({ amount: minor(described.amount), described }));
  const sum = total(adjustments);
  const voided = card.status === 'Voided';
  const stated = card.balance === undefined ? undefined : minor(card.balance);

  if (voided && stated !== undefined && stated !== 0)
    return `balance is ${show(stated)}, but a voided card holds nothing; leave balance out.`;
  const initialValue = card.initialValue === undefined ? impliedValue(card, stated, sum, minor) : minor(card.initialValue);
  if (initialValue < 0)
    return `balance ${show(stated ?? 0)} and its adjustments make an initial value of ${show(initialValue)}; it cannot be below zero.`;

  const reached = plus(initialValue, sum);
  if (reached === undefined) return 'initial value and adjustments add up to more than can be held exactly; make them smaller.';
  let entries = adjustments;
  if (!voided && adjustments.length === 0) {
    const wanted = stated ?? (card.status === 'Redeemed' ? 0 : reached);
    if (wanted !== reached) entries = [{ amount: wanted - reached }];
  } else if (!voided && stated !== undefined && stated !== reached) {
    return `balance is ${show(stated)}, but the initial value ${show(initialValue)} and all adjustments make ${show(reached)}; leave one of the three out.`;
  }
  const held = initialValue + total(entries);
  if (card.status === 'Redeemed' && held > 0)
    return `status is Redeemed, but ${show(held)} is left; add the redemption, or leave status out.`;
  if (card.kind === 'voucher' && !(entries.length === 0 || (entries.length === 1 && held === 0)))
    return 'kind is voucher, and a voucher is redeemed in full or not at all; give it no adjustments, or one that leaves nothing.';
  return { initialValue, balance: voided ? 0 : held, totalIssued: initialValue + total(entries.filter(isTopUp)), entries };
}

function impliedValue(card: Card, balance: Minor | undefined, sum: Minor, minor: (amount: number) => Minor): Minor {
  if (balance === undefined || card.status === 'Voided') return minor(DEFAULT_VALUE);
  if (card.adjustments.length > 0) return balance - sum;
  return card.status === 'Redeemed' ? minor(DEFAULT_VALUE) : Math.max(balance, 0);
}

function total(entries: readonly Entry[]): Minor {
  return entries.reduce((sum, { amount }) => sum + amount, 0);
}

function isTopUp({ amount }: Entry): boolean {
  return amount > 0;
}
