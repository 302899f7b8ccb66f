import { isObject, type Json, type JsonObject } from '../document.ts';
import type { Override } from './overrides.ts';

/** The parts of a response that differ from the contract. An absent part is unchanged. */
export interface ResponseOverrides {
  readonly status?: number | undefined;
  readonly media?: string | undefined;
  readonly body?: Json | undefined;
}

type ByOwnerAndName<T> = ReadonlyMap<string, ReadonlyMap<string, T>>;

/** Overrides by their targets, under the contract's own names. An owner is a schema or an operation. A name is a property or a parameter. */
export interface OverridePlan {
  /** The path on the wire. */
  readonly places: ByOwnerAndName<readonly string[]>;
  /** Merge patches. A patch of a whole schema has the empty name. */
  readonly patches: ByOwnerAndName<JsonObject>;
  readonly needed: ByOwnerAndName<boolean>;
  /** The path at which the body on the wire has the operation's response, by operation. */
  readonly wraps: ReadonlyMap<string, readonly string[]>;
  /** Changes of responses, by refusal code or operation. */
  readonly responseOverrides: ReadonlyMap<string, ResponseOverrides>;
}

/** Statuses that never have a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205]);

/** Sorts overrides by their targets. The overrides have been checked before (conflicts.ts). */
export function groupOverrides(overrides: readonly Override[]): OverridePlan {
  const places = new Map<string, Map<string, readonly string[]>>();
  const patches = new Map<string, Map<string, JsonObject>>();
  const needed = new Map<string, Map<string, boolean>>();
  const wraps = new Map<string, readonly string[]>();
  const responseOverrides = new Map<string, ResponseOverrides>();
  const change = (target: string, change: ResponseOverrides) =>
    responseOverrides.set(target, { ...responseOverrides.get(target), ...change });
  for (const each of overrides) {
    if ('rename' in each) put(places, each.rename, [each.to]);
    else if ('move' in each) put(places, each.move, each.to.split('.'));
    else if ('wrap' in each) wraps.set(each.wrap, each.in.split('.'));
    else if ('schema' in each) put(patches, each.schema, each.to, merged);
    else if ('required' in each) put(needed, each.required, each.to);
    else if ('status' in each) change(each.status, { status: each.to, ...(WITHOUT_BODY.has(each.to) ? { body: null } : {}) });
    else if ('media' in each) change(each.media, { media: each.to });
    else change(each.body, { body: each.to });
  }
  return { places, patches, needed, wraps, responseOverrides };
}

function put<T>(table: Map<string, Map<string, T>>, target: string, value: T, join = (_: T, later: T) => later): void {
  const [owner = '', name = ''] = target.split('.');
  const entries = table.get(owner) ?? new Map<string, T>();
  const before = entries.get(name);
  entries.set(name, before === undefined ? value : join(before, value));
  table.set(owner, entries);
}

/** Joins two merge patches. A null stays in the result, because a null removes a value when the patch is applied. */
function merged(one: JsonObject, other: JsonObject): JsonObject {
  const result = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = result[key];
    result[key] = isObject(before) && isObject(value) ? merged(before, value) : value;
  }
  return result;
}
