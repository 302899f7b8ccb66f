import type { View } from '../../mock/state/view.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import { type Mutation, state } from './mutation.ts';

/** How long a mutant that races keeps what is out of date, in milliseconds: requests that were sent at once fall into it. */
const RACE = 20;

/** Keeps the first value of each name for as long as requests race, and returns it. */
export function forAWhile<Value>(): (name: string, value: Value) => Value {
  const kept = new Map<string, Value>();
  return (name, value) => {
    if (!kept.has(name)) {
      kept.set(name, value);
      setTimeout(() => kept.delete(name), RACE);
    }
    return kept.get(name) as Value;
  };
}

/** Whether a value was first asked for so recently that requests race. */
export function hidden(): (value: string) => boolean {
  const since = new Map<string, number>();
  return (value) => {
    const first = since.get(value) ?? performance.now();
    since.set(value, first);
    return performance.now() - first < RACE;
  };
}

/** The states of all accounts that were asked, the one that asks first. */
export function otherAccounts(): (own: View) => readonly View[] {
  const known = new Set<View>();
  return (own) => {
    known.add(own);
    return [own, ...[...known].filter((each) => each !== own)];
  };
}

type LookUp = 'card' | 'cardByCode' | 'cardByUniqueId' | 'adjustmentByUniqueId';

/** These look-ups find records of any account. */
export const acrossAccounts =
  (ids: OperationId | readonly OperationId[] | 'all', ...names: readonly LookUp[]) =>
  (): Mutation => {
    const others = otherAccounts();
    const find = (own: View, name: LookUp) => (value: string) =>
      others(own)
        .map((view) => view[name](value))
        .find(Boolean);
    return state(ids, (own) => Object.fromEntries(names.map((name) => [name, find(own, name)])))();
  };

/** This look-up misses what was stored while requests race. */
export const missesInRace = (ids: OperationId | readonly OperationId[], name: LookUp) => (): Mutation => {
  const isNew = hidden();
  return state(ids, (view) => ({ [name]: (value: string) => (isNew(value) ? undefined : view[name](value)) }))();
};
