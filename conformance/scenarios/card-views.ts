import { setTimeout as pause } from 'node:timers/promises';
import { fullPage } from '../core/card-list.ts';
import { objectIn } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import type { Answer } from '../http/exchange.ts';
import { leaves, recordWith } from '../http/json-search.ts';
import { byCode, history } from './adjustments.ts';
import { balanceOf, type Card, card, getByCode, getById, voidByCode, voidById } from './cards.ts';
import { cardIn } from './histories.ts';
import { list } from './lists.ts';
import { voidings } from './shared-cards.ts';

/** A response that shows a card, and what it shows. */
export interface CardView {
  readonly how: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** The views of a card: by code and by ID (a Violation if one fails), and if they show it, in its history and on the first page of the list. */
export async function cardViews(t: Trial, on: Card): Promise<CardView[]> {
  const views: { how: string; record: unknown }[] = [
    { how: 'by code', record: objectIn(await getByCode(t, on.code), `${on.name}, looked up by code`) },
    { how: 'by ID', record: objectIn(await getById(t, on.id), `${on.name}, looked up by ID`) },
    { how: 'in its history', record: cardIn((await history(t, on.code)).json, on) },
    { how: 'in the list', record: recordWith((await list(t, { pageSize: fullPage })).json, on.code) },
  ];
  return views.flatMap(({ how, record }) =>
    typeof record === 'object' && record !== null ? [{ how, record: { ...record } }] : [],
  );
}

/** The values of a property in the views that have it. */
export const valuesIn = (views: readonly CardView[], name: string): { how: string; value: unknown }[] =>
  views.flatMap(({ how, record }) => (name in record ? [{ how, value: record[name] }] : []));

/** The views of the card that was voided by code or by ID. */
export function voidedViews(t: Trial, way: 'byCode' | 'byId'): Promise<CardView[]> {
  return t.shared(`views of the card voided ${way}`, async (shared) => {
    const { on, answer } = (await voidings(shared))[way];
    mustSucceed(answer, `voiding ${on.name}`);
    return cardViews(shared, on);
  });
}

/** The views of all cards that the target voided. Blocked if it voided none. */
export async function allVoidedViews(t: Trial): Promise<CardView[]> {
  const tried = await voidings(t);
  const able = (['byCode', 'byId'] as const).filter((way) => tried[way].answer.status === 200);
  const views: CardView[] = [];
  for (const way of able.length > 0 ? able : (['byCode'] as const)) views.push(...(await voidedViews(t, way)));
  return views;
}

/** A voided card, and the responses to everything that was tried on it. */
interface UsedAfterVoid {
  on: Card;
  voidedByCode: Answer;
  historyBefore: Answer;
  historyAfter: Answer;
  againByCode: Answer;
  againById: Answer;
  /** A top-up of 0.25. */
  adjusted: Answer;
  balanceAfter: number;
}

export function usedAfterVoid(t: Trial): Promise<UsedAfterVoid> {
  return t.shared('voided card that is used again', async (shared) => {
    const on = await card(shared);
    const historyBefore = mustSucceed(await history(shared, on.code), 'the history');
    const voidedByCode = mustSucceed(await voidByCode(shared, on.code), 'voiding it');
    const historyAfter = mustSucceed(await history(shared, on.code), 'the history of the voided card');
    const againByCode = await voidByCode(shared, on.code);
    const againById = await voidById(shared, on.id);
    const adjusted = await byCode(shared, on, 0.25);
    const balanceAfter = await balanceOf(shared, on.code);
    return { on, voidedByCode, historyBefore, historyAfter, againByCode, againById, adjusted, balanceAfter };
  });
}

/** Looks until two looks in a row are the same, because the target may work in the background. Looks at most 21 times, in 2 s. */
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

/** All values of the card and its history, by path. */
async function recordOf(t: Trial, code: string): Promise<CardRecord> {
  const shown = [mustSucceed(await getByCode(t, code), 'the card').json, mustSucceed(await history(t, code), 'its history').json];
  return new Map(leaves(shown).map(({ path, value }) => [path, value]));
}

const differing = (one: CardRecord, other: CardRecord) =>
  [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path));

/** Paths in the card and its history whose values changed through `act`. Values that change without it do not count. */
export async function changesBy(t: Trial, code: string, act: () => Promise<unknown>): Promise<string[]> {
  const before = await waitUntilStable(
    () => recordOf(t, code),
    (one, other) => one.size === other.size,
  );
  // Some values change at each look, for example a link with a new signature.
  const volatile = differing(before, await recordOf(t, code));
  await act();
  const after = await recordOf(t, code);
  const changed = differing(before, after).filter((path) => !volatile.includes(path));
  if (changed.length === 0) return changed;
  // Some values change each second.
  await pause(1_100);
  const ticking = differing(after, await recordOf(t, code));
  return changed.filter((path) => !ticking.includes(path));
}
