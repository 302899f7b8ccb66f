import { defaultReadings, type Readings } from '../../openapi/generated/clauses.ts';
import { type Dialect, type Dialects, standardDocument } from '../wire/dialects.ts';
import type { AccountSnapshot } from './account.ts';
import { SnapshotError } from './misfit.ts';

const clauses = standardDocument['x-clauses'] as unknown as Readonly<Record<string, { readonly readings?: object }>>;

/** What the account of a snapshot spoke. Throws SnapshotError for readings and rows that this contract does not have. */
export async function dialectOf(dialects: Dialects, { id, facts, wire, contract }: AccountSnapshot): Promise<Dialect> {
  const unusable = (why: string) =>
    new SnapshotError(`The snapshot cannot be used: account ${id}, taken under contract ${contract}: ${why}`);
  for (const [clause, reading] of Object.entries(facts)) {
    const readings = Object.keys((Object.hasOwn(defaultReadings, clause) ? clauses[clause]?.readings : undefined) ?? {});
    if (readings.length === 0) throw unusable(`there is no open clause ${clause} here.`);
    if (!readings.includes(reading)) throw unusable(`${clause} has no reading ${reading}; it has ${readings.join(', ')}.`);
  }
  try {
    return await dialects.of({ ...defaultReadings, ...(facts as Partial<Readings>) }, wire);
  } catch (error) {
    throw unusable(`its rows do not go together: ${(error as Error).message}`);
  }
}
