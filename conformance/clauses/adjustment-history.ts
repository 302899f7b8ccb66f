import { clause } from '../core/clause.ts';
import { accepted, hasStatus, holds, same, sameAmount, told } from '../core/expect.ts';
import type { Answer } from '../http/exchange.ts';
import { containsText, instantOfAny, leaves, mentions, unknownIdLike } from '../http/structure.ts';
import { history, historyById } from '../scenarios/adjustments.ts';
import { balanceOf, type Card } from '../scenarios/cards.ts';
import {
  amounts,
  bothHistories,
  cardIn,
  cardWithHistory,
  entriesOf,
  notes,
  showsDirection,
  typePath,
} from '../scenarios/histories.ts';

clause('adjustment.recorded-in-history', {}, async (t) => {
  for (const answer of await bothHistories(t, await cardWithHistory(t))) entriesOf(answer);
});

clause('adjustment.keeps-actioned-at', {}, async (t) => {
  const on = await cardWithHistory(t);
  for (const answer of await bothHistories(t, on)) {
    for (const { amount, entry } of entriesOf(answer)) {
      const moment = on.actioned[amounts.indexOf(amount)];
      const kept = leaves(entry).some(({ value }) => instantOfAny(value) === moment);
      holds(kept, `the entry of ${amount} with the time ${new Date(moment ?? 0).toISOString()}`, JSON.stringify(entry));
    }
  }
});

clause('adjustment.keeps-notes', {}, async (t) => {
  for (const answer of await bothHistories(t, await cardWithHistory(t))) {
    for (const { amount, entry } of entriesOf(answer)) {
      const wanted = notes[amounts.indexOf(amount)];
      holds(containsText(entry, wanted), `the entry of ${amount} with the notes "${wanted}"`, JSON.stringify(entry));
    }
  }
});

/** The card and what became of it; where the card has a balance there, it is what the card holds. */
function showsCard(answer: Answer, on: Card, held: number): void {
  accepted(answer, 'the history');
  entriesOf(answer);
  holds(mentions(answer.json, on.code) || mentions(answer.json, on.id), `a history with ${on.name} in it`, told(answer));
  const shown = cardIn(answer.json, on);
  if (!shown) return;
  same([shown.id, shown.code], [on.id, on.code], 'id and code of the card in its history');
  sameAmount(shown.balance, held, 'balance of the card in its history');
}

clause('adjustment.history.by-code-shows-card-and-entries', {}, async (t) => {
  const on = await cardWithHistory(t);
  showsCard(await history(t, on.code), on, await balanceOf(t, on.code));
});

clause('adjustment.history.by-id-shows-card-and-entries', {}, async (t) => {
  const on = await cardWithHistory(t);
  showsCard(await historyById(t, on.id), on, await balanceOf(t, on.code));
});

clause('adjustment.history.newest-first', {}, async (t) => {
  const newestFirst = amounts.toReversed().join(', ');
  for (const answer of await bothHistories(t, await cardWithHistory(t))) {
    const order = entriesOf(answer)
      .map(({ amount }) => amount)
      .join(', ');
    holds(order === newestFirst, `entries in the order ${newestFirst}`, order);
  }
});

clause('adjustment.history.entry-tells-amount-type-notes-time', {}, async (t) => {
  const on = await cardWithHistory(t);
  for (const answer of await bothHistories(t, on)) {
    for (const { amount, entry } of entriesOf(answer)) {
      const wanted = notes[amounts.indexOf(amount)];
      const all = leaves(entry);
      holds(containsText(entry, wanted), `notes in the entry of ${amount}`, JSON.stringify(entry));
      holds(
        all.some(({ value }) => instantOfAny(value) !== undefined),
        `a time in the entry of ${amount}`,
        JSON.stringify(entry),
      );
    }
    holds(typePath(answer, on) !== undefined, 'a type that the two top-ups have in common', told(answer));
    holds(showsDirection(answer, on), 'a redemption that is told from a top-up by its type or its sign', told(answer));
  }
});

clause('adjustment.history.unknown-code-is-404', {}, async (t) => {
  const on = await cardWithHistory(t);
  await t.control('the history of a code that a card has', async () => entriesOf(await history(t, on.code)));
  hasStatus(await history(t, t.run.ledger.fresh('GCSNONE')), 404, 'the history of a code that no card has');
});

clause('adjustment.history.unknown-id-is-404', {}, async (t) => {
  const on = await cardWithHistory(t);
  await t.control('the history of an ID that a card has', async () => entriesOf(await historyById(t, on.id)));
  hasStatus(await historyById(t, unknownIdLike(on.id)), 404, 'the history of an ID that no card has');
});
