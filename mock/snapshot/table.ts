import { Misfit } from './misfit.ts';
import type { Look, Shape } from './shape.ts';

/** Records of one kind with their names written once, which makes a snapshot of many a third of the size. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** How records are written as a table, and read back. */
export interface TableOf<T> {
  write(records: Iterable<T>): Table;
  /** Throws a Misfit. */
  read(value: unknown): T[];
}

/** Nothing may be left out of these records, since a row has a place for everything. */
export function tableOf<T extends { readonly [K in keyof T]: Exclude<T[K], undefined> }>(
  shapes: {
    readonly [K in keyof T]-?: Shape<T[K]>;
  },
): TableOf<T> {
  const columns = Object.keys(shapes) as (keyof T & string)[];
  const all = columns.map((column) => shapes[column] as Look);
  return {
    write: (records) => ({ columns, rows: Array.from(records, (record) => columns.map((column) => record[column])) }),
    read: (value) => {
      const { columns: given, rows } = (value ?? {}) as Partial<Table>;
      if (!Array.isArray(given) || given.join() !== columns.join())
        throw new Misfit(`the columns must be ${columns.join(', ')}.`);
      if (!Array.isArray(rows)) throw new Misfit('the rows are missing.');
      return rows.map((row: unknown, index) => {
        if (!Array.isArray(row) || row.length !== columns.length)
          throw Misfit.at(index, new Misfit(`a row of ${columns.length} values belongs here.`));
        const record: Record<string, unknown> = {};
        for (let place = 0; place < columns.length; place++) {
          try {
            record[columns[place] as string] = (all[place] as Look)(row[place]);
          } catch (error) {
            throw Misfit.at(index, Misfit.at(columns[place] as string, error));
          }
        }
        return record as T;
      });
    },
  };
}
