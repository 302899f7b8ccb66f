import { type SomethingElse, somethingElse } from '../core/clause.ts';
import { leaves, namedAs, stepsTo } from '../http/structure.ts';

/** The reading that a name found on the target is, where behaviors are names; one that nobody listed is a name all the same. */
export function called<const Name extends string>(found: string | undefined, behaviors: readonly Name[]): Name | SomethingElse {
  if (found === undefined) return somethingElse('not shown');
  return behaviors.find((name) => name === found) ?? somethingElse(`under ${found}`, { name: found });
}

/** The same of something that stands within the JSON, at a path that leaves() gave. */
export function calledAt<const Name extends string>(path: string | undefined, behaviors: readonly Name[]): Name | SomethingElse {
  const steps = path === undefined ? undefined : stepsTo(path);
  return path !== undefined && steps === undefined ? somethingElse(`at ${path}`) : called(steps, behaviors);
}

/** The reading that a status is, where behaviors are statuses. */
export function answered<const Status extends string>(status: number, behaviors: readonly Status[]): Status | SomethingElse {
  return behaviors.find((each) => each === String(status)) ?? somethingElse(`answers ${status}`, { status });
}

/** Where a value stands within the JSON, if it stands in one place only. */
export function onlyPlace(json: unknown, isIt: (value: unknown, path: string) => boolean): string | undefined {
  const [found, ...others] = leaves(json).filter(({ path, value }) => isIt(value, path));
  return others.length > 0 ? undefined : found?.path;
}

/** The reading that a wrapper is, where behaviors are names of one; the path leads to what is wrapped. */
export function wrappedIn<const Name extends string>(path: string | undefined, behaviors: readonly Name[]): Name | SomethingElse {
  const seen = calledAt(path, behaviors);
  const { name } = typeof seen === 'string' ? {} : (seen.shown ?? {});
  return name === undefined ? seen : somethingElse(`in ${name}`, { wrap: name });
}

/**
 * The reading that the name of a property is: one of those listed stands at the top of the record, or else the place is told by what stands there, if
 * that can be known. In words which names the record has, where it cannot.
 */
export function namedIn<const Name extends string>(
  record: unknown,
  place: string | undefined,
  ...behaviors: readonly Name[]
): Name | SomethingElse {
  const top = behaviors.filter((name) => Object.hasOwn(Object(record), name));
  if (top.length === 1) return top[0] as Name;
  if (place !== undefined) return calledAt(place, behaviors);
  const seen = namedAs(record, ...behaviors);
  return typeof seen === 'string'
    ? calledAt(leaves(record).find(({ path }) => path.endsWith(`/${seen}`))?.path, behaviors)
    : seen;
}
