import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../openapi/document.ts';
import type { Reader } from '../../openapi/effective/reader.ts';
import type { Row, SourcedRow } from '../../openapi/effective/rows.ts';
import { operations } from '../core/operations.ts';
import { readerBy } from './reading-facts.ts';
import { jsonOf, type Seen } from './seen.ts';
import type { WatchedRow } from './watched.ts';

/**
 * Which names, places and wrappers of a facts file the traffic shows: a row is met by an exchange that would be read otherwise without it. One that never is
 * has been no help, and where something else stands in its place, the file may be of another deployment.
 */
export class FactsMet {
  readonly #sought: Sought[];

  constructor(rows: readonly SourcedRow[]) {
    const reader = once(() => readerBy(rows));
    this.#sought = rows.flatMap((sourced) => soughtBy(sourced, rows, reader) ?? []);
  }

  look(seen: Seen): void {
    const open = this.#sought.filter(({ found }) => found.met === undefined);
    if (open.length === 0 || seen.operation === undefined) return;
    const names = namesIn([jsonOf(seen.body), jsonOf(seen.answer)]);
    for (const { found, met, otherwise } of open) {
      if (met(seen, names)) found.met = seen.n;
      else if (found.otherwise === undefined && isAccepted(seen) && otherwise(seen, names)) found.otherwise = seen.n;
    }
  }

  told(): WatchedRow[] {
    return this.#sought.map(({ found }) => found);
  }
}

interface Sought {
  readonly found: WatchedRow;
  /** `names` are those of all properties that passed, in which looking costs next to nothing. */
  readonly met: (seen: Seen, names: ReadonlySet<string>) => boolean;
  /** Whether it shows what the row is about under the name of the contract, or not wrapped so. */
  readonly otherwise: (seen: Seen, names: ReadonlySet<string>) => boolean;
}

/** Undefined for a row that bears on nothing that the proxy reads. */
function soughtBy({ row, from }: SourcedRow, rows: readonly SourcedRow[], reader: () => Reader): Sought | undefined {
  const others = rows.filter((each) => !isDeepStrictEqual(each.row, row));
  const without = once(() => readerBy(others));
  if ('wrap' in row) {
    const [outermost = ''] = row.in.split('.');
    return {
      found: { kind: 'wrapper', row: `${row.wrap} in ${row.in}`, from },
      met: (seen, names) => names.has(outermost) && differs(seen, reader(), without()),
      otherwise: ({ operation, answer }) => operation === row.wrap && answer.is === 'json',
    };
  }
  const what = 'rename' in row ? row.rename : 'move' in row ? row.move : undefined;
  if (what === undefined) return undefined;
  const { to } = row as Extract<Row, { to: string }>;
  const [owner = '', own = ''] = what.split('.');
  const found: WatchedRow = { kind: 'name', row: `${what} under ${to}`, from };
  const operation = operations.find(({ id }) => id === owner);
  // What stands in a path has no name there.
  if (operation?.parameter === own) return undefined;
  if (operation) {
    const has = (seen: Seen, name: string) => seen.operation === owner && Object.hasOwn(seen.parameters, name);
    return { found, met: (seen) => has(seen, to), otherwise: (seen) => has(seen, own) };
  }
  const last = to.split('.').at(-1) ?? '';
  // The contract's own name stands where the row is about if, called by a name that nobody has, it is found by a row for that name.
  const probing = once(() => readerBy([...others, { row: { rename: what, to: unheard }, from }]));
  return {
    found,
    met: (seen, names) => names.has(last) && differs(seen, reader(), without()),
    otherwise: (seen, names) => names.has(own) && differs(calling(seen, own, unheard), probing(), without()),
  };
}

const unheard = '«unheard of»';

const isAccepted = ({ status = 0 }: Seen) => status >= 200 && status < 300;

/** Whether two readers read the same bodies otherwise. */
function differs(seen: Seen, one: Reader, other: Reader): boolean {
  const { operation = '', body, answer } = seen;
  return (
    !isDeepStrictEqual(one.request(operation, jsonOf(body)), other.request(operation, jsonOf(body))) ||
    (isAccepted(seen) && !isDeepStrictEqual(one.answer(operation, jsonOf(answer)), other.answer(operation, jsonOf(answer))))
  );
}

function calling(seen: Seen, name: string, otherwise: string): Seen {
  const renamed = (body: Seen['body']) => (body.is === 'json' ? { ...body, json: renamedIn(body.json, name, otherwise) } : body);
  return { ...seen, body: renamed(seen.body), answer: renamed(seen.answer) };
}

function renamedIn(value: unknown, name: string, otherwise: string): unknown {
  if (Array.isArray(value)) return value.map((each) => renamedIn(each, name, otherwise));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key === name ? otherwise : key, renamedIn(inner, name, otherwise)]),
  );
}

function namesIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const each of value) namesIn(each, found);
  else if (isObject(value))
    for (const [name, inner] of Object.entries(value)) {
      found.add(name);
      namesIn(inner, found);
    }
  return found;
}

/** Making a reader takes some milliseconds, which nobody spends whose rows are met at once. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
