import { setTimeout as pause } from 'node:timers/promises';
import { nowThere } from '../core/clock.ts';
import { answered, holds, told } from '../core/expect.ts';
import { arranged, type Trial } from '../core/trial.ts';
import type { Answer } from '../http/exchange.ts';
import { entriesWith, instantOf, isAmount, leaves } from '../http/structure.ts';
import { byCode, history, historyById, ways } from './adjustments.ts';
import { type Card, card } from './cards.ts';

/** Amounts that appear nowhere else on the card, so that the entries can be found whatever their properties are called. */
export const amounts = [0.13, -0.17, 0.29];
export const notes = [
  'first of three',
  'second of three: für Zoë, 10 € – and so that it is longer than a line',
  'third of three',
];
/** What that card is created with. */
export const issued = 1;
/** Whole seconds and years back: the entry of the first must keep this moment, in whatever form it is shown. */
const longAgo = [Date.UTC(2011, 3, 5, 6, 7, 8), Date.UTC(2022, 4, 6, 7, 8, 9), Date.UTC(2023, 5, 7, 8, 9, 10)];

interface Storied extends Card {
  /** When the adjustments happened, in their order. */
  readonly actioned: readonly number[];
}

/**
 * A card with three adjustments whose order is the same by recording and by happening, because which of the two counts is open; the last of them
 * made by ID, where that can be done. They happened years ago, or where the target takes none from before the card, seconds ago.
 */
export async function storied(t: Trial): Promise<Storied> {
  // Whatever is found out is found out before.
  const last = (await ways(t)).at(-1) ?? byCode;
  return t.shared('card with three adjustments', async (shared) => {
    const on = await card(shared, { balance: issued });
    const book = (index: number, moment: number) => {
      const fields = { notes: notes[index], actionedAtUtc: new Date(moment).toISOString() };
      return (index === amounts.length - 1 ? last : byCode)(shared, on, amounts[index] ?? 0, fields);
    };
    const first = await book(0, longAgo[0] ?? 0);
    const isTaken = first.status < 400 || first.status >= 500;
    const actioned = isTaken ? longAgo : await secondsAgo(shared);
    for (const [index, moment] of actioned.entries())
      arranged(index === 0 && isTaken ? first : await book(index, moment), `adjusting ${on.name}`);
    return { ...on, actioned };
  });
}

/** Whole seconds between the card's issue, which was before the call, and now. */
async function secondsAgo(t: Trial): Promise<number[]> {
  const start = Math.ceil(nowThere(t) / 1_000) * 1_000;
  await pause(start + 4_000 - nowThere(t));
  return [start, start + 1_000, start + 2_000];
}

export function entriesOf(answer: Answer): { amount: number; entry: unknown }[] {
  answered(answer, 'the history');
  const entries = entriesWith(answer.json, amounts);
  holds(entries !== undefined, `a history with entries of ${amounts.join(', ')}`, told(answer));
  return entries ?? [];
}

export const bothHistories = async (t: Trial, on: Card) => [await history(t, on.code), await historyById(t, on.id)];

/**
 * Where an entry tells its type, whatever it is called: the same for two top-ups, and best another for a redemption. One word for all is
 * a type, too: no types are given, and they may say where the adjustments came from. What the card itself shows is none.
 */
export function typeAt(answer: Answer, on: Card): string | undefined {
  const ofCard = new Set(leaves(on.answer.json).map(({ value }) => value));
  const entries = entriesOf(answer).map(({ amount, entry }) => ({ topUp: amount > 0, all: leaves(entry) }));
  const values = (path: string, topUp: boolean) =>
    entries.filter((each) => each.topUp === topUp).map(({ all }) => all.find((leaf) => leaf.path === path)?.value ?? null);
  const common = (entries[0]?.all ?? []).filter(({ path, value }) => {
    const [[first, second], [redemption]] = [values(path, true), values(path, false)];
    return (
      first !== null &&
      first === second &&
      redemption !== null &&
      (redemption !== first || isNumbered(path, value) || (isWord(path, value) && !ofCard.has(value)))
    );
  });
  const telling = common.find(({ path, value }) => values(path, false)[0] !== value);
  return (telling ?? common.find(({ path }) => namesType.test(path)) ?? common[0])?.path;
}

/** Whether the redemption is told from the top-ups: by its sign, by where its amount stands, or by anything in which the top-ups are the same. */
export function tellsApart(answer: Answer, on: Card): boolean {
  const entries = entriesOf(answer);
  const redeemed = Math.min(...amounts);
  const redemption = leaves(entries.find(({ amount }) => amount < 0)?.entry);
  const topUps = entries.filter(({ amount }) => amount > 0);
  const isSigned = redemption.some(({ value }) => typeof value === 'number' && value < 0 && isAmount(value, redeemed));
  const standsElsewhere = redemption
    .filter(({ value }) => isAmount(value, redeemed))
    .every(
      ({ path }) =>
        !topUps.some(({ amount, entry }) => leaves(entry).some((leaf) => leaf.path === path && isAmount(leaf.value, amount))),
    );
  if (isSigned || standsElsewhere) return true;
  const type = typeAt(answer, on);
  const [first, second] = [leaves(topUps[0]?.entry), redemption].map((all) => all.find(({ path }) => path === type)?.value);
  return type !== undefined && first !== second;
}

/** The history's own card, beside its entries, where it shows one with its balance: whatever is called by the card's id or its code. */
export function cardIn(json: unknown, on: Card): { id: unknown; code: unknown; balance: number; status?: unknown } | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const { id, code, balance } = json as Record<string, unknown>;
  const isWhole = id !== undefined && code !== undefined && typeof balance === 'number';
  if (isWhole && (id === on.id || code === on.code)) return { ...json, id, code, balance };
  return Object.values(json)
    .map((inner) => cardIn(inner, on))
    .find((found) => found !== undefined);
}

/** One of a list that the target numbers. */
const isNumbered = (path: string, value: unknown) => Number.isInteger(value) && namesType.test(path);
const namesType = /type|kind/i;

const isWord = (path: string, value: unknown) =>
  typeof value === 'string' && value !== '' && instantOf(value) === undefined && !/(id|code|currency|balance)$/i.test(path);
