import type { Answer } from '../client.ts';
import { accepted, holds, told } from '../expect.ts';
import { entriesWith, instantOf, leaves } from '../structure.ts';
import type { Trial } from '../trial.ts';
import { booked, history, historyById } from './adjustments.ts';
import { type Card, card } from './cards.ts';

/** Amounts that appear nowhere else on the card, so that the entries can be found whatever their properties are called. */
export const amounts = [0.13, -0.07, 0.29];
export const notes = ['first of three', 'second of three', 'third of three'];
/** What that card is created with. */
export const issued = 1;
/** Whole seconds and years back: the entry of the first must keep this moment, in whatever form it is shown. */
export const actioned = [Date.UTC(2021, 3, 5, 6, 7, 8), Date.UTC(2022, 4, 6, 7, 8, 9), Date.UTC(2023, 5, 7, 8, 9, 10)];

/** A card with three adjustments whose order is the same by recording and by happening, because which of the two counts is open. */
export function storied(t: Trial): Promise<Card> {
  return t.shared('card with three adjustments', async (shared) => {
    const on = await card(shared, { balance: issued });
    for (const [index, amount] of amounts.entries()) {
      await booked(shared, on, amount, { notes: notes[index], actionedAtUtc: new Date(actioned[index] ?? 0).toISOString() });
    }
    return on;
  });
}

export function entriesOf(answer: Answer): { amount: number; entry: unknown }[] {
  accepted(answer, 'the history');
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
      (redemption !== first || (isWord(path, value) && !ofCard.has(value)))
    );
  });
  const telling = common.find(({ path, value }) => values(path, false)[0] !== value);
  return (telling ?? common.find(({ path }) => /type|kind/i.test(path)) ?? common[0])?.path;
}

const isWord = (path: string, value: unknown) =>
  typeof value === 'string' && value !== '' && instantOf(value) === undefined && !/(id|code|currency|balance)$/i.test(path);
