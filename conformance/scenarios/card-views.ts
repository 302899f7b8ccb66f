import { setTimeout as pause } from 'node:timers/promises';
import { fullPage } from '../core/card-list.ts';
import { objectIn } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { leaves, recordWith } from '../http/json-search.ts';
import { byCode, history } from './adjustments.ts';
import { balanceOf, type Card, card, getByCode, getById, voidByCode, voidById } from './cards.ts';
import { cardIn } from './histories.ts';
import { list } from './lists.ts';

/** Returns the values of a card's property in all responses that show the property. A Violation if a lookup by code or by ID fails. */
export async function shownValues(t: Trial, on: Card, name: string): Promise<{ how: string; value: unknown }[]> {
  const records = {
    'by code': objectIn(await getByCode(t, on.code), `${on.name}, looked up by code`),
    'by ID': objectIn(await getById(t, on.id), `${on.name}, looked up by ID`),
    'in its history': cardIn((await history(t, on.code)).json, on),
    'in the list': recordWith((await list(t, { pageSize: fullPage })).json, on.code),
  };
  const values = Object.entries(records).map(([how, record]) => ({ how, value: Object(record)[name] }));
  return values.filter(({ value }) => value !== undefined);
}

/** Voids a card, and then tries to void the card by code and by ID, and to top up the card by 0.25. Returns all responses. */
export function usedAfterVoid(t: Trial) {
  return t.shared('voided card that is used again', async (shared) => {
    const on = await card(shared);
    return {
      on,
      historyBefore: mustSucceed(await history(shared, on.code), 'the history'),
      voidedByCode: mustSucceed(await voidByCode(shared, on.code), 'voiding it'),
      historyAfter: mustSucceed(await history(shared, on.code), 'the history of the voided card'),
      againByCode: await voidByCode(shared, on.code),
      againById: await voidById(shared, on.id),
      adjusted: await byCode(shared, on, 0.25),
      balanceAfter: await balanceOf(shared, on.code),
    };
  });
}

/** Looks until two looks in a row are the same, for at most 2 s. The target may work in the background. */
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

/** Returns all values of the card and its history by path. */
async function recordOf(t: Trial, code: string): Promise<CardRecord> {
  const shown = [mustSucceed(await getByCode(t, code), 'the card').json, mustSucceed(await history(t, code), 'its history').json];
  return new Map(leaves(shown).map(({ path, value }) => [path, value]));
}

const differing = (one: CardRecord, other: CardRecord) =>
  [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path));

/** Returns the paths in the card and its history whose values `act` changes. Values that change without `act` do not count. */
export async function changesBy(t: Trial, code: string, act: () => Promise<unknown>): Promise<string[]> {
  const before = await waitUntilStable(
    () => recordOf(t, code),
    (one, other) => one.size === other.size,
  );
  await act();
  const after = await recordOf(t, code);
  const changed = differing(before, after);
  if (changed.length === 0) return [];
  // Some values change at each look or each second, for example a link with a new signature.
  await pause(1_100);
  const later = differing(after, await recordOf(t, code));
  return changed.filter((path) => !later.includes(path));
}
