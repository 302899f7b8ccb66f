import { clause } from '../core/clause.ts';
import { describeAnswer, expectAmount, expectSame, expectSuccess, expectThat } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { containsText, entriesWith, instantOfAny, leaves, mentions } from '../http/json-search.ts';
import { history, historyById } from '../scenarios/adjustments.ts';
import { amounts, cardIn, cardWithHistory, entriesOf, notes, typePath } from '../scenarios/card-views.ts';
import { balanceOf, type Card } from '../scenarios/cards.ts';
import { unknownIs404 } from '../scenarios/controls.ts';

const histories = (t: Trial) =>
  t.shared('histories of the card with three adjustments', async (shared) => {
    const on = await cardWithHistory(shared);
    const answers = [await history(shared, on.code), await historyById(shared, on.id)] as const;
    for (const answer of answers) await mustBeBooked(shared, on, answer);
    return { on, answers };
  });

/** Throws Blocked if entries are missing because the adjustments have another effect on the balance, which other clauses report. */
async function mustBeBooked(t: Trial, on: Card, { json }: Answer): Promise<void> {
  const balance = entriesWith(json, amounts) ? 1.25 : await balanceOf(t, on.code);
  if (balance.toFixed(2) !== '1.25') throw new Blocked(`adjusting ${on.name}: the balance is ${balance} instead of 1.25`);
}

async function entriesOfBoth(t: Trial) {
  const { on, answers } = await histories(t);
  return { on, answers, both: await t.control('both histories show the adjustments', async () => answers.map(entriesOf)) };
}

clause('adjustment.recorded-in-history', {}, async (t) => {
  const [byCode] = (await histories(t)).answers;
  entriesOf(byCode);
});

/** The most milliseconds in which a run adds three adjustments. */
const mostRecordingTime = 600_000;

clause('adjustment.keeps-actioned-at', {}, async (t) => {
  const { on, both } = await entriesOfBoth(t);
  const shown = leaves(both).flatMap(({ value }) => instantOfAny(value) ?? []);
  // The sent times are years apart. A history may show only the times at which the adjustments were recorded.
  const areOfRecording = Math.max(...shown) - Math.min(...shown) < mostRecordingTime;
  if (shown.length > 0 && areOfRecording && !shown.some((time) => on.actioned.includes(time)))
    throw new Untested('fact-missing', 'the history shows only when the adjustments were recorded');
  for (const { amount, entry } of both.flat()) {
    const time = on.actioned[amounts.indexOf(amount)] ?? 0;
    const isKept = leaves(entry).some(({ value }) => instantOfAny(value) === time);
    expectThat(isKept, `the entry of ${amount} with the time ${new Date(time).toISOString()}`, JSON.stringify(entry));
  }
});

clause('adjustment.keeps-notes', {}, async (t) => {
  for (const { amount, entry } of (await entriesOfBoth(t)).both.flat()) {
    const text = notes[amounts.indexOf(amount)];
    expectThat(containsText(entry, text), `the entry of ${amount} with the notes "${text}"`, JSON.stringify(entry));
  }
});

/** Checks that the response shows the card and its entries. If the response shows the card's balance, checks that this balance is current. */
async function showsCardAndEntries(t: Trial, look: (on: Card) => Promise<Answer>): Promise<void> {
  const on = await cardWithHistory(t);
  const answer = await look(on);
  expectSuccess(answer, 'the history');
  await mustBeBooked(t, on, answer);
  entriesOf(answer);
  const isShown = mentions(answer.json, on.code) || mentions(answer.json, on.id);
  expectThat(isShown, `a history with ${on.name} in it`, describeAnswer(answer));
  const shown = cardIn(answer.json, on);
  if (shown) expectAmount(shown.balance, await balanceOf(t, on.code), 'balance of the card in its history');
}

clause('adjustment.history.by-code-shows-card-and-entries', {}, (t) => showsCardAndEntries(t, ({ code }) => history(t, code)));

clause('adjustment.history.by-id-shows-card-and-entries', {}, (t) => showsCardAndEntries(t, ({ id }) => historyById(t, id)));

clause('adjustment.history.newest-first', {}, async (t) => {
  for (const entries of (await entriesOfBoth(t)).both) {
    const order = entries.map(({ amount }) => amount);
    expectSame(order, amounts.toReversed(), 'amounts of the entries, newest first');
  }
});

clause('adjustment.history.entry-shows-amount-type-notes-time', {}, async (t) => {
  const { on, answers } = await entriesOfBoth(t);
  for (const answer of answers) {
    for (const { amount, entry } of entriesOf(answer)) {
      const hasTime = leaves(entry).some(({ value }) => instantOfAny(value) !== undefined);
      const hasNotes = containsText(entry, notes[amounts.indexOf(amount)]);
      expectThat(hasNotes && hasTime, `notes and a time in the entry of ${amount}`, JSON.stringify(entry));
    }
    expectThat(typePath(answer, on) !== undefined, 'entries with a type', describeAnswer(answer));
  }
});

clause('adjustment.history.unknown-code-is-404', {}, (t) => unknownIs404(t, ({ code }) => history(t, code)));

clause('adjustment.history.unknown-id-is-404', {}, (t) => unknownIs404(t, ({ id }) => historyById(t, id)));
