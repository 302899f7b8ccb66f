import type { JsonObject } from '../document.ts';
import { defaultReadings, type Readings } from '../generated/clauses.ts';
import contractDocument from '../generated/contract.json' with { type: 'json' };
import type { Row, SourcedRow } from './rows.ts';

/** The contract as it is written. */
export const standardDocument = contractDocument as unknown as JsonObject;

/** All clauses; those that ask something have readings, and readings that change the wire have rows. */
export const questions = standardDocument['x-clauses'] as unknown as Readonly<
  Record<string, { readonly readings?: Readonly<Record<string, { readonly wire?: readonly Row[] } | null>> }>
>;

/** The clauses of which another reading than the default is taken. */
export function differing(readings: Partial<Readings>): readonly (keyof Readings)[] {
  return (Object.keys(readings) as (keyof Readings)[]).filter((clause) => readings[clause] !== defaultReadings[clause]);
}

/** The rows of all readings that are not as the contract is written, with the reading that each comes from. */
export function rowsOf(readings: Partial<Readings>): readonly SourcedRow[] {
  return differing(readings).flatMap((clause) => {
    const reading = readings[clause] as string;
    const rows = questions[clause]?.readings?.[reading]?.wire ?? [];
    return rows.map((row) => ({ row, from: `${clause}: ${reading}` }));
  });
}
