import { clause } from '../core/clause.ts';
import { describeAnswer, expectAmount, expectSame, expectStatus, expectSuccess, expectThat } from '../core/expect.ts';
import type { Answer } from '../http/exchange.ts';
import { containsText, instantOfAny, leaves, mentions, unknownIdLike } from '../http/json-search.ts';
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
  for (const answer of await bothHistories(t, on))
    for (const { amount, entry } of entriesOf(answer)) {
      const time = on.actioned[amounts.indexOf(amount)];
      const isKept = leaves(entry).some(({ value }) => instantOfAny(value) === time);
      expectThat(isKept, `the entry of ${amount} with the time ${new Date(time ?? 0).toISOString()}`, JSON.stringify(entry));
    }
});

clause('adjustment.keeps-notes', {}, async (t) => {
  for (const answer of await bothHistories(t, await cardWithHistory(t)))
    for (const { amount, entry } of entriesOf(answer)) {
      const text = notes[amounts.indexOf(amount)];
      expectThat(containsText(entry, text), `the entry of ${amount} with the notes "${text}"`, JSON.stringify(entry));
    }
});

/** The response shows the card and its entries. If it shows the card's balance, that is the current one. */
function showsCard(answer: Answer, on: Card, balance: number): void {
  expectSuccess(answer, 'the history');
  entriesOf(answer);
  expectThat(
    mentions(answer.json, on.code) || mentions(answer.json, on.id),
    `a history with ${on.name} in it`,
    describeAnswer(answer),
  );
  const shown = cardIn(answer.json, on);
  if (!shown) return;
  expectSame([shown.id, shown.code], [on.id, on.code], 'ID and code of the card in its history');
  expectAmount(shown.balance, balance, 'balance of the card in its history');
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
  const newestFirst = amounts.toReversed();
  for (const answer of await bothHistories(t, await cardWithHistory(t))) {
    const order = entriesOf(answer).map(({ amount }) => amount);
    expectSame(order, newestFirst, 'amounts of the entries in their order');
  }
});

clause('adjustment.history.entry-shows-amount-type-notes-time', {}, async (t) => {
  const on = await cardWithHistory(t);
  for (const answer of await bothHistories(t, on)) {
    for (const { amount, entry } of entriesOf(answer)) {
      const hasTime = leaves(entry).some(({ value }) => instantOfAny(value) !== undefined);
      const hasNotes = containsText(entry, notes[amounts.indexOf(amount)]);
      expectThat(hasNotes && hasTime, `notes and a time in the entry of ${amount}`, JSON.stringify(entry));
    }
    expectThat(typePath(answer, on) !== undefined, 'entries with a type', describeAnswer(answer));
    expectThat(showsDirection(answer, on), 'a redemption that differs from a top-up in its type or sign', describeAnswer(answer));
  }
});

clause('adjustment.history.unknown-code-is-404', {}, async (t) => {
  const on = await cardWithHistory(t);
  await t.control('the history of a card by its code', async () => entriesOf(await history(t, on.code)));
  expectStatus(await history(t, t.run.ledger.fresh('GCSNONE')), 404, 'the history of an unknown code');
});

clause('adjustment.history.unknown-id-is-404', {}, async (t) => {
  const on = await cardWithHistory(t);
  await t.control('the history of a card by its ID', async () => entriesOf(await historyById(t, on.id)));
  expectStatus(await historyById(t, unknownIdLike(on.id)), 404, 'the history of an unknown ID');
});
