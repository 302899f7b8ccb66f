import { rowsOf, standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { SourcedRow } from '../../openapi/effective/rows.ts';
import type { Behaviors } from '../../openapi/generated/clauses.ts';
import { readFacts } from '../learn/file.ts';

/** By what the proxy reads: the rows of a facts file where one was given. */
interface Reading {
  readonly reader: Reader;
  readonly rows?: readonly SourcedRow[];
}

/** Reads what a deployment says under the contract's own names, by what is known of it; without a file, all that is read so are the names that are stated. */
export async function readingBy(file: string | undefined): Promise<Reading> {
  if (file === undefined) return { reader: new Reader(standardDocument, []) };
  const { facts = {}, wire = [] } = await readFacts(file);
  const rows = [...rowsOf(facts as Partial<Behaviors>), ...wire.map((row) => ({ row, from: 'wire' }))];
  return { reader: readerBy(rows), rows };
}

export const readerBy = (rows: readonly SourcedRow[]) =>
  new Reader(
    standardDocument,
    rows.map(({ row }) => row),
  );
