import { booked, history, historyById } from '../arrange/adjustments.ts';
import { type Card, card } from '../arrange/cards.ts';
import { clause } from '../clause.ts';
import type { Answer } from '../client.ts';
import { accepted, hasStatus, holds, told } from '../expect.ts';
import { entriesWith, instantOf, leaves, mentions, unknownIdLike } from '../structure.ts';
import type { Trial } from '../trial.ts';

/** Amounts that appear nowhere else on the card, so that the entries can be found whatever their properties are called. */
const amounts = [0.13, -0.07, 0.29];
const notes = ['first of three', 'second of three', 'third of three'];
/** Whole seconds and years back: the entry of the first must keep this moment, in whatever form it is shown. */
const actioned = [Date.UTC(2021, 3, 5, 6, 7, 8), Date.UTC(2022, 4, 6, 7, 8, 9), Date.UTC(2023, 5, 7, 8, 9, 10)];

/** A card with three adjustments whose order is the same by recording and by happening, because which of the two counts is open. */
function storied(t: Trial): Promise<Card> {
  return t.shared('card with three adjustments', async (shared) => {
    const on = await card(shared, { balance: 5 });
    for (const [index, amount] of amounts.entries()) {
      await booked(shared, on, amount, { notes: notes[index], actionedAtUtc: new Date(actioned[index] ?? 0).toISOString() });
    }
    return on;
  });
}

function entriesOf(answer: Answer): { amount: number; entry: unknown }[] {
  accepted(answer, 'the history');
  const entries = entriesWith(answer.json, amounts);
  holds(entries !== undefined, `a history with entries of ${amounts.join(', ')}`, told(answer));
  return entries ?? [];
}

const bothHistories = async (t: Trial, on: Card) => [await history(t, on.code), await historyById(t, on.id)];

clause('adjustment.recorded-in-history', {}, async (t) => {
  for (const answer of await bothHistories(t, await storied(t))) entriesOf(answer);
});

clause('adjustment.keeps-actioned-at', {}, async (t) => {
  for (const answer of await bothHistories(t, await storied(t))) {
    for (const { amount, entry } of entriesOf(answer)) {
      const moment = actioned[amounts.indexOf(amount)];
      const kept = leaves(entry).some(({ value }) => instantOf(value) === moment);
      holds(kept, `the entry of ${amount} with the time ${new Date(moment ?? 0).toISOString()}`, JSON.stringify(entry));
    }
  }
});

clause('adjustment.keeps-notes', {}, async (t) => {
  for (const answer of await bothHistories(t, await storied(t))) {
    for (const { amount, entry } of entriesOf(answer)) {
      const wanted = notes[amounts.indexOf(amount)];
      holds(mentions(entry, wanted), `the entry of ${amount} with the notes "${wanted}"`, JSON.stringify(entry));
    }
  }
});

clause('adjustment.history.by-code-shows-card-and-entries', {}, async (t) => {
  const on = await storied(t);
  const answer = await history(t, on.code);
  entriesOf(answer);
  holds(mentions(answer.json, on.code) || mentions(answer.json, on.id), `a history with ${on.name} in it`, told(answer));
});

clause('adjustment.history.by-id-shows-card-and-entries', {}, async (t) => {
  const on = await storied(t);
  const answer = await historyById(t, on.id);
  entriesOf(answer);
  holds(mentions(answer.json, on.code) || mentions(answer.json, on.id), `a history with ${on.name} in it`, told(answer));
});

clause('adjustment.history.newest-first', {}, async (t) => {
  const newestFirst = amounts.toReversed().join(', ');
  for (const answer of await bothHistories(t, await storied(t))) {
    const order = entriesOf(answer)
      .map(({ amount }) => amount)
      .join(', ');
    holds(order === newestFirst, `entries in the order ${newestFirst}`, order);
  }
});

/** Whatever it is called, a type is the same for two top-ups and another for a redemption; ids, times and unsigned amounts are not. */
function tellsType(answer: Answer): boolean {
  const entries = entriesOf(answer).map(({ amount, entry }) => ({ topUp: amount > 0, all: leaves(entry) }));
  const at = (path: string, topUp: boolean) =>
    entries.filter((each) => each.topUp === topUp).map(({ all }) => all.find((leaf) => leaf.path === path)?.value ?? null);
  return (entries[0]?.all ?? []).some(({ path }) => {
    const [[first, second], [redemption]] = [at(path, true), at(path, false)];
    return first !== null && first === second && redemption !== null && redemption !== first;
  });
}

clause('adjustment.history.entry-tells-amount-type-notes-time', {}, async (t) => {
  for (const answer of await bothHistories(t, await storied(t))) {
    for (const { amount, entry } of entriesOf(answer)) {
      const wanted = notes[amounts.indexOf(amount)];
      const all = leaves(entry);
      holds(mentions(entry, wanted), `notes in the entry of ${amount}`, JSON.stringify(entry));
      holds(
        all.some(({ value }) => instantOf(value) !== undefined),
        `a time in the entry of ${amount}`,
        JSON.stringify(entry),
      );
    }
    holds(tellsType(answer), 'a type that the two top-ups have in common and the redemption does not', told(answer));
  }
});

clause('adjustment.history.unknown-code-is-404', {}, async (t) => {
  const on = await storied(t);
  await t.control('the history of a code that a card has', async () => entriesOf(await history(t, on.code)));
  hasStatus(await history(t, t.run.ledger.fresh('GCSNONE')), 404, 'the history of a code that no card has');
});

clause('adjustment.history.unknown-id-is-404', {}, async (t) => {
  const on = await storied(t);
  await t.control('the history of an ID that a card has', async () => entriesOf(await historyById(t, on.id)));
  hasStatus(await historyById(t, unknownIdLike(on.id)), 404, 'the history of an ID that no card has');
});
