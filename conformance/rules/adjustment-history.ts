import { describeResponse, expectAmount, expectSame, expectSuccess, expectThat } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { containsText, entriesWith, instantOfAny, leaves, mentions } from '../http/json-search.ts';
import { Untested } from '../safety/policy.ts';
import { sendHistory, sendHistoryById } from '../scenarios/adjustments.ts';
import { amounts, cardIn, cardWithHistory, entriesOf, notes, typePath } from '../scenarios/card-views.ts';
import { balanceOf, type TestCard } from '../scenarios/cards.ts';
import { unknownIs404 } from '../scenarios/controls.ts';

const histories = (t: Trial) =>
  t.shared('histories of the card with three adjustments', async (shared) => {
    const on = await cardWithHistory(shared);
    const responses = [await sendHistory(shared, on.code), await sendHistoryById(shared, on.id)] as const;
    for (const response of responses) await mustBeBooked(shared, on, response);
    return { on, responses };
  });

/** Throws Blocked if entries are missing because the adjustments have another effect on the balance, which other rules report. */
async function mustBeBooked(t: Trial, on: TestCard, { json }: TargetResponse): Promise<void> {
  const balance = entriesWith(json, amounts) ? 1.25 : await balanceOf(t, on.code);
  if (balance.toFixed(2) !== '1.25') throw new Blocked(`adjusting ${on.name}: the balance is ${balance} instead of 1.25`);
}

async function entriesOfBoth(t: Trial) {
  const { on, responses } = await histories(t);
  return { on, responses, both: await t.control('both histories show the adjustments', async () => responses.map(entriesOf)) };
}

rule('adjustment.recorded-in-history', {}, async (t) => {
  const [byCode] = (await histories(t)).responses;
  entriesOf(byCode);
});

/** The most milliseconds in which a run adds three adjustments. */
const mostRecordingTime = 600_000;

rule('adjustment.keeps-actioned-at', {}, async (t) => {
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

rule('adjustment.keeps-notes', {}, async (t) => {
  for (const { amount, entry } of (await entriesOfBoth(t)).both.flat()) {
    const text = notes[amounts.indexOf(amount)];
    expectThat(containsText(entry, text), `the entry of ${amount} with the notes "${text}"`, JSON.stringify(entry));
  }
});

/** Checks that the response shows the card and its entries. If the response shows the card's balance, checks that this balance is current. */
async function showsCardAndEntries(t: Trial, look: (on: TestCard) => Promise<TargetResponse>): Promise<void> {
  const on = await cardWithHistory(t);
  const response = await look(on);
  expectSuccess(response, 'the history');
  await mustBeBooked(t, on, response);
  entriesOf(response);
  const isShown = mentions(response.json, on.code) || mentions(response.json, on.id);
  expectThat(isShown, `a history with ${on.name} in it`, describeResponse(response));
  const shown = cardIn(response.json, on);
  if (shown) expectAmount(shown.balance, await balanceOf(t, on.code), 'balance of the card in its history');
}

rule('adjustment.history.by-code-shows-card-and-entries', {}, (t) => showsCardAndEntries(t, ({ code }) => sendHistory(t, code)));

rule('adjustment.history.by-id-shows-card-and-entries', {}, (t) => showsCardAndEntries(t, ({ id }) => sendHistoryById(t, id)));

rule('adjustment.history.newest-first', {}, async (t) => {
  for (const entries of (await entriesOfBoth(t)).both) {
    const order = entries.map(({ amount }) => amount);
    expectSame(order, amounts.toReversed(), 'amounts of the entries, newest first');
  }
});

rule('adjustment.history.entry-shows-amount-type-notes-time', {}, async (t) => {
  const { on, responses } = await entriesOfBoth(t);
  for (const response of responses) {
    for (const { amount, entry } of entriesOf(response)) {
      const hasTime = leaves(entry).some(({ value }) => instantOfAny(value) !== undefined);
      const hasNotes = containsText(entry, notes[amounts.indexOf(amount)]);
      expectThat(hasNotes && hasTime, `notes and a time in the entry of ${amount}`, JSON.stringify(entry));
    }
    expectThat(typePath(response, on) !== undefined, 'entries with a type', describeResponse(response));
  }
});

rule('adjustment.history.unknown-code-is-404', {}, (t) => unknownIs404(t, ({ code }) => sendHistory(t, code)));

rule('adjustment.history.unknown-id-is-404', {}, (t) => unknownIs404(t, ({ id }) => sendHistoryById(t, id)));
