import type { Json, JsonObject } from '../document.ts';
import type { Override } from './overrides.ts';

/** How an answer differs from the contract's; what is left out is as it was. */
export interface AnswerRows {
  readonly status?: number;
  readonly media?: string;
  readonly body?: Json;
}

/** All rows by what they are about, each thing under the contract's own names. */
export interface Plan {
  /** By schema or operation, then by property or parameter: the steps to where the wire has it. */
  readonly places: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** By schema or operation; the empty name is the schema itself. */
  readonly patches: ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;
  readonly needed: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
  /** By operation: the steps to where its answer stands. */
  readonly wraps: ReadonlyMap<string, readonly string[]>;
  /** By refusal code or operation. */
  readonly answers: ReadonlyMap<string, AnswerRows>;
}

/** Takes the rows as they are; whether they are about something and agree with each other is asked elsewhere (complaints.ts, contradictions.ts). */
export function planOf(rows: readonly Override[]): Plan {
  const places = new Map<string, Map<string, readonly string[]>>();
  const patches = new Map<string, Map<string, JsonObject>>();
  const needed = new Map<string, Map<string, boolean>>();
  const wraps = new Map<string, readonly string[]>();
  const answers = new Map<string, AnswerRows>();
  for (const row of rows) {
    if ('rename' in row) put(places, row.rename, [row.to]);
    else if ('move' in row) put(places, row.move, row.to.split('.'));
    else if ('wrap' in row) wraps.set(row.wrap, row.in.split('.'));
    else if ('schema' in row) put(patches, row.schema, merged(get(patches, row.schema) ?? {}, row.to));
    else if ('required' in row) put(needed, row.required, row.to);
    else if ('status' in row) answers.set(row.status, { ...answers.get(row.status), status: row.to });
    else if ('media' in row) answers.set(row.media, { ...answers.get(row.media), media: row.to });
    else answers.set(row.body, { ...answers.get(row.body), body: row.to });
  }
  return { places, patches, needed, wraps, answers };
}

function ownerAndName(what: string): [owner: string, name: string] {
  const [owner = '', name = ''] = what.split('.');
  return [owner, name];
}

function put<T>(table: Map<string, Map<string, T>>, what: string, value: T): void {
  const [owner, name] = ownerAndName(what);
  const entries = table.get(owner) ?? new Map<string, T>();
  table.set(owner, entries.set(name, value));
}

function get<T>(table: Map<string, Map<string, T>>, what: string): T | undefined {
  const [owner, name] = ownerAndName(what);
  return table.get(owner)?.get(name);
}

/** Two patches as one; a null stays, since it takes something away when the patch is applied. */
function merged(one: JsonObject, other: JsonObject): JsonObject {
  const result = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = result[key];
    result[key] = isPatch(before) && isPatch(value) ? merged(before, value) : value;
  }
  return result;
}

function isPatch(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
