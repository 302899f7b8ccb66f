import { setTimeout as pause } from 'node:timers/promises';
import { targetNow } from '../core/clock.ts';
import { describeResponse, expectResponse, expectThat, objectIn } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { at, entriesWith, findObject, instantOf, leaves, recordWith } from '../http/json-search.ts';
import { fullPage } from '../safety/card-search.ts';
import { acceptsPast, adjustByCode, adjustFunctions, sendHistory } from './adjustments.ts';
import { balanceOf, createCard, getByCode, getById, type TestCard, voidByCode, voidById } from './cards.ts';
import { sendList } from './lists.ts';
import { balanceCard } from './shared-cards.ts';

/** Returns the values of a card's property in all responses that show the property. Throws Blocked if a lookup by code or by ID fails. */
export async function shownValues(
  t: Trial,
  on: TestCard,
  name: string,
  lookUps?: { byCode: TargetResponse; byId: TargetResponse },
) {
  const { byCode, byId } = lookUps ?? { byCode: await getByCode(t, on.code), byId: await getById(t, on.id) };
  const [ofHistory, listed] = [await sendHistory(t, on.code), await sendList(t, { pageSize: fullPage })];
  const records = [
    { how: 'by code', record: objectIn(mustSucceed(byCode, `looking ${on.name} up by code`)) },
    { how: 'by ID', record: objectIn(mustSucceed(byId, `looking ${on.name} up by ID`)) },
    { how: 'in its history', record: cardIn(ofHistory.json, on) },
    { how: 'in the list', record: recordWith(listed.json, on.code) },
  ];
  // The value is read where it is checked, so the result of the rule names the response that shows it.
  const views = records.map(({ how, record }) => ({ how, read: () => Object(record)[name] as unknown }));
  return views.filter(({ read }) => read() !== undefined);
}

/** Voids a card. Then tries to void the card by code and by ID, and to top up the card by 0.25. Returns all responses. */
export function usedAfterVoid(t: Trial) {
  return t.shared('voided card that is used again', async (shared) => {
    const on = await createCard(shared);
    return {
      on,
      historyBefore: mustSucceed(await sendHistory(shared, on.code), 'the history'),
      voidedByCode: mustSucceed(await voidByCode(shared, on.code), 'voiding the card'),
      historyAfter: mustSucceed(await sendHistory(shared, on.code), 'the history of the voided card'),
      againByCode: await voidByCode(shared, on.code),
      againById: await voidById(shared, on.id),
      adjusted: await adjustByCode(shared, on, 0.25),
      balanceAfter: await balanceOf(shared, on.code),
    };
  });
}

/** Repeats `look` until two results in a row are the same, because the target may still work in the background. Stops after 2 s. */
export async function waitUntilStable<T>(look: () => Promise<T>, isSame: (one: T, other: T) => boolean): Promise<T> {
  let last = await look();
  for (let looks = 0; looks < 20; looks += 1) {
    await pause(100);
    const next = await look();
    if (isSame(last, next)) return next;
    last = next;
  }
  return last;
}

type CardRecord = ReadonlyMap<string, unknown>;

async function recordOf(t: Trial, code: string): Promise<CardRecord> {
  const shown = [
    mustSucceed(await getByCode(t, code), 'the card').json,
    mustSucceed(await sendHistory(t, code), 'its history').json,
  ];
  return new Map(leaves(shown).map(({ path, value }) => [path, value]));
}

const differing = (one: CardRecord, other: CardRecord) =>
  [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path));

/** Returns the paths in the card and its history whose values `act` changes. Values that change without `act` do not count. */
export async function pathsChangedBy(t: Trial, code: string, act: () => Promise<unknown>): Promise<string[]> {
  const before = await waitUntilStable(
    () => recordOf(t, code),
    (one, other) => one.size === other.size,
  );
  await act();
  const after = await recordOf(t, code);
  const changed = differing(before, after);
  if (changed.length === 0) return [];
  // Some values change without `act`, for example a link with a new signature. A second look finds these values.
  await pause(1_100);
  const later = differing(after, await recordOf(t, code));
  return changed.filter((path) => !later.includes(path));
}

/** Amounts that appear nowhere else on the card. The specification does not name the properties of entries, so the suite finds entries by these amounts. */
export const amounts = [0.13, -0.17, 0.29];
export const notes = [
  'first of three',
  'second of three: für Zoë, 10 € – and so that it is longer than a line',
  'third of three',
];
/** Times in whole seconds, because every format shows whole seconds exactly. */
const yearsAgo = [Date.UTC(2011, 3, 5, 6, 7, 8), Date.UTC(2022, 4, 6, 7, 8, 9), Date.UTC(2023, 5, 7, 8, 9, 10)];

/** Returns a card with three adjustments, and their times in milliseconds. A history may be ordered by recording or by actionedAtUtc. So the adjustments are recorded in the order of actionedAtUtc. */
export async function cardWithHistory(t: Trial): Promise<TestCard & { readonly actioned: readonly number[] }> {
  const last = (await adjustFunctions(t)).at(-1) ?? adjustByCode;
  const isPastAccepted = await acceptsPast(t);
  return t.shared('card with three adjustments', async (shared) => {
    const on = shared.isLimited ? await balanceCard(shared) : await createCard(shared);
    const actioned = isPastAccepted ? yearsAgo : await secondsFromNow(shared);
    for (const [index, adjust] of [adjustByCode, adjustByCode, last].entries()) {
      const fields = { notes: notes[index], actionedAtUtc: new Date(actioned[index] ?? 0).toISOString() };
      mustSucceed(await adjust(shared, on, amounts[index] ?? 0, fields), `adjusting ${on.name}`);
    }
    return { ...on, actioned };
  });
}

/** Waits until three whole seconds have passed. Returns these times in milliseconds. */
async function secondsFromNow(t: Trial): Promise<number[]> {
  const start = Math.ceil(targetNow(t) / 1_000) * 1_000;
  await pause(start + 4_000 - targetNow(t));
  return [start, start + 1_000, start + 2_000];
}

/** Returns the three entries in the order of the response. Throws a Violation if an entry is missing. */
export function entriesOf(response: TargetResponse): { amount: number; entry: unknown }[] {
  expectResponse(response, 'the history');
  const entries = entriesWith(response.json, amounts);
  expectThat(entries !== undefined, `a history with entries of ${amounts.join(', ')}`, describeResponse(response));
  return entries ?? [];
}

/** Returns the path of an entry's type: a value that is equal in both top-ups and different in the redemption. If there is no such value, returns the path of a word or number that all entries share. */
export function typePath(response: TargetResponse, on: TestCard): string | undefined {
  const ofCard = new Set(leaves(on.response.json).map(({ value }) => value));
  const entries = entriesOf(response);
  const [topUp, redemption, otherTopUp] = amounts.map((wanted) => entries.find(({ amount }) => amount === wanted)?.entry);
  const shared = leaves(topUp).filter(
    ({ path, value }) => value !== null && at(otherTopUp, path) === value && (at(redemption, path) ?? null) !== null,
  );
  const differs = shared.find(({ path, value }) => at(redemption, path) !== value);
  const isNamed = (path: string) => /type|kind/i.test(path);
  const alike = shared.filter(
    ({ path, value }) => (Number.isInteger(value) && isNamed(path)) || (isWord(path, value) && !ofCard.has(value)),
  );
  return (differs ?? alike.find(({ path }) => isNamed(path)) ?? alike[0])?.path;
}

const isWord = (path: string, value: unknown) =>
  typeof value === 'string' && value !== '' && instantOf(value) === undefined && !/(id|code|currency|balance)$/i.test(path);

/** Returns the object of the response that has the card's ID, the card's code and a balance. */
export const cardIn = (json: unknown, on: TestCard): { readonly balance?: unknown } | undefined =>
  findObject(json, ({ id, code, balance }) => id === on.id && code === on.code && typeof balance === 'number')?.object;
