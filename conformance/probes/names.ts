import { type SomethingElse, somethingElse } from '../clause.ts';

/** The reading that a name found on the target is, where readings are names. */
export function called<const Name extends string>(found: string | undefined, readings: readonly Name[]): Name | SomethingElse {
  if (found === undefined) return somethingElse('not shown');
  return readings.find((name) => name === found) ?? somethingElse(`under ${found}`);
}

/** The reading that a status is, where readings are statuses. */
export function answered<const Status extends string>(status: number, readings: readonly Status[]): Status | SomethingElse {
  return readings.find((each) => each === String(status)) ?? somethingElse(`answers ${status}`);
}
