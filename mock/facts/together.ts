import type { Readings } from '../../openapi/generated/clauses.ts';

type Some = Partial<{ readonly [C in keyof Readings]: readonly Readings[C][] }>;

/** Readings that no service can have at the same time, or that take each other's meaning; each entry lists what does not go together. */
const apart: readonly Some[] = [];

/** Whether a service can have these readings at the same time. What the wire alone forbids is found out from the rows. */
export function goTogether(readings: Readings): boolean {
  return !apart.some((these) =>
    Object.entries(these).every(([clause, some]) => (some as readonly string[]).includes(readings[clause as keyof Readings])),
  );
}
