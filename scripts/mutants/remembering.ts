import type { View } from '../../mock/state/view.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import { type Mutation, state } from './mutation.ts';

/** Milliseconds for which a mutant keeps stale data, to simulate a race. Parallel requests of a test arrive within this time. */
const RACE = 20;

/** Returns a function that keeps the first value of each name, and returns this value for `RACE` milliseconds. */
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

/** Returns a function that reports whether the first look-up of a value was less than `RACE` milliseconds ago. */
export function hidden(): (value: string) => boolean {
  const since = new Map<string, number>();
  return (value) => {
    const first = since.get(value) ?? performance.now();
    since.set(value, first);
    return performance.now() - first < RACE;
  };
}

/** Returns a function that remembers the state of every account. The function returns the given state, and then all remembered states. */
export function otherAccounts(): (own: View) => readonly View[] {
  const known = new Set<View>();
  return (own) => {
    known.add(own);
    return [own, ...[...known].filter((each) => each !== own)];
  };
}

type LookUp = 'card' | 'cardByCode' | 'cardByUniqueId' | 'adjustmentByUniqueId';

/** Makes these look-ups find records of any account. */
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

/** Makes this look-up fail in the first `RACE` milliseconds after the first look-up of a value. */
export const missesInRace = (ids: OperationId | readonly OperationId[], name: LookUp) => (): Mutation => {
  const isNew = hidden();
  return state(ids, (view) => ({ [name]: (value: string) => (isNew(value) ? undefined : view[name](value)) }))();
};
