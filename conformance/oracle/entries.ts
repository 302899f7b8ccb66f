import { arrays, arraysIn, isAmount, leaves } from '../http/structure.ts';
import { isFigureName } from '../proxy/pseudonymizer.ts';
import type { Change } from './card.ts';

/** The entries of a history by what is known to have been booked, because nothing names them. */
export class Entries {
  /** Of all lists in the answer. */
  readonly rows: readonly unknown[];
  /** Of the list that holds most of what was booked. */
  readonly list: readonly unknown[];
  readonly booked: readonly Change[];
  readonly #pairs: ReadonlyMap<Change, unknown>;
  readonly #notes: ReadonlySet<unknown>;

  constructor(told: unknown, booked: readonly Change[]) {
    const lists = arrays(told);
    this.booked = booked;
    this.rows = lists.flat();
    const sizes = lists.map((list) => pairs(booked, list).size);
    this.list = lists[sizes.indexOf(Math.max(...sizes))] ?? [];
    this.#pairs = pairs(booked, this.rows);
    this.#notes = new Set(booked.map(({ notes }) => notes));
  }

  /** Whether an entry of its own stands for it. */
  has(change: Change): boolean {
    return this.#pairs.has(change);
  }

  /** Whether an entry that stands for nothing may tell its amount in a way that nobody can read. */
  get isUnclear(): boolean {
    const taken = new Set(this.#pairs.values());
    return this.rows.some((row) => {
      if (taken.has(row)) return false;
      const own = leaves(row).filter(({ path }) => !/id$/i.test(path));
      if (own.some(({ value }) => isFigureName(value))) return true;
      const isTold = own.some(({ path, value }) => typeof value === 'number' && !isVeiled(value) && amounts.test(path));
      return !isTold && (this.textsOf(row).length > 0 || own.some(({ value }) => isVeiled(value)));
    });
  }

  /** All entries that tell its amount. */
  rowsOf({ amount = 0 }: Change): readonly unknown[] {
    return this.rows.filter((row) => leaves(row).some(({ value }) => isAmount(value, amount)));
  }

  /** Whether one of the entries that tell its amount tells its notes, too. */
  tellsNotesOf(change: Change): boolean {
    return this.rowsOf(change).some((row) => notesIn(row, change.notes));
  }

  /** How often one and the same entry stands in the list that tells its amount. */
  timesOf({ amount = 0 }: Change): number {
    const texts = this.list.flatMap((row) =>
      leaves(row).some(({ value }) => isAmount(value, amount)) ? [JSON.stringify(row)] : [],
    );
    return Math.max(0, ...texts.map((text) => texts.filter((other) => other === text).length));
  }

  /** The only entry of the list that can stand for it. */
  placeOf(change: Change): number | undefined {
    const own = this.list.flatMap((row, index) =>
      leaves(row).some(({ value }) => isAmount(value, change.amount ?? 0)) ? [index] : [],
    );
    const noted = own.filter((index) => notesIn(this.list[index], change.notes));
    const isOnly = this.booked.filter(({ notes }) => notes === change.notes).length === 1;
    const [place, ...others] = isOnly && noted.length > 0 ? noted : own;
    return others.length > 0 ? undefined : place;
  }

  /** What an entry says in words of its own, of which nobody knows what they are; not what an adjustment was noted with. */
  textsOf(row: unknown): readonly string[] {
    return leaves(row).flatMap(({ path, value }) =>
      typeof value === 'string' && /^\s*text-/.test(value) && !/id$/i.test(path) && !this.#notes.has(value) ? [value] : [],
    );
  }

  /** Whether the entries of one say nothing of their own that those of the other, which has another value there, do not say as well. */
  saysNoMoreThan(one: Change, other: Change): boolean {
    const [own, others] = [this.rowsOf(one), this.rowsOf(other)];
    if (others.length === 0 || own.some((row) => others.includes(row))) return false;
    const said = new Set(others.flatMap((row) => this.textsOf(row)));
    return own.flatMap((row) => this.textsOf(row)).every((text) => said.has(text));
  }
}

const amounts = /amount|value|sum/i;

/** A number that may have been that of a card, and stands for another. */
const isVeiled = (value: unknown): boolean => typeof value === 'number' && value >= 1e14;

/** The list of an answer that has no other one beside it; undefined where there are several. */
export function onlyListIn(told: unknown): readonly unknown[] | undefined {
  const [list, ...others] = arraysIn(told).filter(({ path }) => !/\/\d+(\/|$)/.test(path));
  return others.length === 0 ? list?.items : undefined;
}

/** A text as it was given; blanks around it may be gone. */
const notesIn = (row: unknown, notes: string | undefined): boolean =>
  notes !== undefined && leaves(row).some(({ value }) => typeof value === 'string' && value.trim() === notes.trim());

/** Each change with an entry that tells its amount, whatever the sign, none of them twice; as many as there can be. */
function pairs(changes: readonly Change[], rows: readonly unknown[]): ReadonlyMap<Change, unknown> {
  const holder = new Map<number, Change>();
  const told = rows.map((row) => leaves(row));
  const placesOf = ({ amount = 0, notes }: Change) => {
    const places = told.flatMap((all, index) => (all.some(({ value }) => isAmount(value, amount)) ? [index] : []));
    return [...places].sort((a, b) => Number(notesIn(rows[b], notes)) - Number(notesIn(rows[a], notes)));
  };
  const wanted = new Map(changes.map((change) => [change, placesOf(change)]));
  const find = (change: Change, tried: Set<number>): boolean =>
    (wanted.get(change) ?? []).some((place) => {
      if (tried.has(place)) return false;
      tried.add(place);
      const other = holder.get(place);
      if (other && !find(other, tried)) return false;
      holder.set(place, change);
      return true;
    });
  for (const change of changes) find(change, new Set());
  return new Map([...holder].map(([place, change]) => [change, rows[place]]));
}
