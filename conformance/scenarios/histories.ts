import { setTimeout as pause } from 'node:timers/promises';
import { targetNow } from '../core/clock.ts';
import { describeAnswer, expectAnswer, expectThat } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import type { Answer } from '../http/exchange.ts';
import { entriesWith, instantOf, isAmount, leaves } from '../http/json-search.ts';
import { adjustFunctions, byCode, history, historyById } from './adjustments.ts';
import { type Card, card } from './cards.ts';

/** Amounts that appear nowhere else on the card, so its entries are found without knowing the names of their properties. */
export const amounts = [0.13, -0.17, 0.29];
export const notes = [
  'first of three',
  'second of three: für Zoë, 10 € – and so that it is longer than a line',
  'third of three',
];
export const initialBalance = 1;
/** Whole seconds, years ago: an entry can show this time exactly in every format. */
const yearsAgo = [Date.UTC(2011, 3, 5, 6, 7, 8), Date.UTC(2022, 4, 6, 7, 8, 9), Date.UTC(2023, 5, 7, 8, 9, 10)];

interface CardWithHistory extends Card {
  /** The times of the adjustments, in milliseconds. */
  readonly actioned: readonly number[];
}

/**
 * A card with three adjustments. Their order is the same by recording and by their own time, because the specification does not say which counts.
 * The last is made by ID if possible. Their times are years ago, or if the target rejects times before the card's creation, seconds ago.
 */
export async function cardWithHistory(t: Trial): Promise<CardWithHistory> {
  const last = (await adjustFunctions(t)).at(-1) ?? byCode;
  return t.shared('card with three adjustments', async (shared) => {
    const on = await card(shared, { balance: initialBalance });
    const adjust = (index: number, time = 0) => {
      const fields = { notes: notes[index], actionedAtUtc: new Date(time).toISOString() };
      return (index === amounts.length - 1 ? last : byCode)(shared, on, amounts[index] ?? 0, fields);
    };
    const first = await adjust(0, yearsAgo[0]);
    const isAccepted = first.status < 400 || first.status >= 500;
    const actioned = isAccepted ? yearsAgo : await secondsAfterIssue(shared);
    for (const [index, time] of actioned.entries())
      mustSucceed(index === 0 && isAccepted ? first : await adjust(index, time), `adjusting ${on.name}`);
    return { ...on, actioned };
  });
}

/** Three whole seconds that are past, all after the card's issue. */
async function secondsAfterIssue(t: Trial): Promise<number[]> {
  const start = Math.ceil(targetNow(t) / 1_000) * 1_000;
  await pause(start + 4_000 - targetNow(t));
  return [start, start + 1_000, start + 2_000];
}

export const bothHistories = async (t: Trial, on: Card) => [await history(t, on.code), await historyById(t, on.id)];

/** The three entries, in the order of the response. A Violation if it does not have them. */
export function entriesOf(answer: Answer): { amount: number; entry: unknown }[] {
  expectAnswer(answer, 'the history');
  const entries = entriesWith(answer.json, amounts);
  expectThat(entries !== undefined, `a history with entries of ${amounts.join(', ')}`, describeAnswer(answer));
  return entries ?? [];
}

/**
 * The path of an entry's type: a value that both top-ups share and the redemption does not, or else a word or a numbered type that all three
 * share, because types may say where adjustments came from. Values that the card itself shows are not types.
 */
export function typePath(answer: Answer, on: Card): string | undefined {
  const ofCard = new Set(leaves(on.answer.json).map(({ value }) => value));
  const entries = entriesOf(answer);
  const topUps = entries.filter(({ amount }) => amount > 0).map(({ entry }) => leaves(entry));
  const redemption = leaves(entries.find(({ amount }) => amount < 0)?.entry);
  const valueAt = (all: typeof redemption, path: string) => all.find((leaf) => leaf.path === path)?.value ?? null;
  const shared = (topUps[0] ?? []).filter(
    ({ path, value }) => value !== null && valueAt(topUps[1] ?? [], path) === value && valueAt(redemption, path) !== null,
  );
  const differs = shared.find(({ path, value }) => valueAt(redemption, path) !== value);
  const isNamed = (path: string) => /type|kind/i.test(path);
  const alike = shared.filter(
    ({ path, value }) => (Number.isInteger(value) && isNamed(path)) || (isWord(path, value) && !ofCard.has(value)),
  );
  return (differs ?? alike.find(({ path }) => isNamed(path)) ?? alike[0])?.path;
}

const isWord = (path: string, value: unknown) =>
  typeof value === 'string' && value !== '' && instantOf(value) === undefined && !/(id|code|currency|balance)$/i.test(path);

/** Whether an entry shows that it is a redemption: by its sign, by the property that holds its amount, or by its type. */
export function showsDirection(answer: Answer, on: Card): boolean {
  const entries = entriesOf(answer);
  const redeemed = Math.min(...amounts);
  const redemption = leaves(entries.find(({ amount }) => amount < 0)?.entry).filter(({ value }) => isAmount(value, redeemed));
  const topUps = entries.filter(({ amount }) => amount > 0);
  const isSigned = redemption.some(({ value }) => typeof value === 'number' && value < 0);
  const holdsTopUp = (path: string) =>
    topUps.some(({ amount, entry }) => leaves(entry).some((leaf) => leaf.path === path && isAmount(leaf.value, amount)));
  if (isSigned || !redemption.some(({ path }) => holdsTopUp(path))) return true;
  const type = typePath(answer, on);
  const typeOf = (entry: unknown) => leaves(entry).find(({ path }) => path === type)?.value;
  return type !== undefined && typeOf(topUps[0]?.entry) !== typeOf(entries.find(({ amount }) => amount < 0)?.entry);
}

/** The card in its history, if the response shows it with its balance: the object with the card's ID or code. */
export function cardIn(json: unknown, on: Card): { id: unknown; code: unknown; balance: number; status?: unknown } | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const { id, code, balance } = json as Record<string, unknown>;
  const isCard = id !== undefined && code !== undefined && typeof balance === 'number';
  if (isCard && (id === on.id || code === on.code)) return { ...json, id, code, balance };
  return Object.values(json)
    .map((inner) => cardIn(inner, on))
    .find((found) => found !== undefined);
}
