import { isObject, type Json, type JsonObject, operationsOf, resolve } from '../document.ts';
import { type Override, type SourcedOverride, WITHOUT_BODY } from './overrides.ts';
import { type Plan, planOf } from './plan.ts';

/** What a row says: of what, and what. Two that say something else of the same contradict each other. */
interface Saying {
  readonly of: string;
  readonly what: string;
}

/** Which rows cannot go together, each pair as a sentence; each row by itself has been checked (complaints.ts). */
export function contradictions(rows: readonly SourcedOverride[], document: JsonObject): string[] {
  const said = new Map<string, { readonly what: string; readonly from: string }>();
  const found: string[] = [];
  for (const { row, from } of rows) {
    for (const { of, what } of sayingsOf(row)) {
      // A patch may also reach into what another replaces as a whole.
      const near = 'schema' in row ? [...said].filter(([other]) => other.startsWith(`${of}/`) || of.startsWith(`${other}/`)) : [];
      const same = said.get(of);
      for (const before of [...(same && same.what !== what ? [same] : []), ...near.map(([, each]) => each)])
        found.push(`${from} and ${before.from} contradict each other about the ${of}: ${what} or ${before.what}. Leave one out.`);
      said.set(of, { what, from });
    }
  }
  const plan = planOf(rows.map(({ row }) => row));
  return [...new Set([...found, ...collisions(plan, document), ...emptied(plan), ...unsaid(plan)])];
}

function sayingsOf(row: Override): Saying[] {
  if ('rename' in row) return [{ of: `place of ${row.rename}`, what: row.to }];
  if ('move' in row) return [{ of: `place of ${row.move}`, what: row.to }];
  if ('wrap' in row) return [{ of: `wrapper of ${row.wrap}`, what: row.in }];
  if ('status' in row) return [{ of: `status of ${row.status}`, what: String(row.to) }];
  if ('media' in row) return [{ of: `media type of ${row.media}`, what: row.to }];
  if ('body' in row) return [{ of: `body of ${row.body}`, what: JSON.stringify(row.to) }];
  if ('required' in row) return [{ of: `need of ${row.required}`, what: String(row.to) }];
  return leaves(row.to).map(([path, value]) => ({ of: `schema of ${row.schema}${path}`, what: JSON.stringify(value) }));
}

function leaves(node: JsonObject, path = ''): [path: string, value: Json][] {
  return Object.entries(node).flatMap(([key, value]): [string, Json][] => {
    const at = `${path}/${key}`;
    // The example of one reading may stand beside that of another.
    if (key === 'examples' || key === 'description') return [];
    return isObject(value) ? leaves(value, at) : [[at, value]];
  });
}

/** Properties that would end up in one place. */
function collisions({ places }: Plan, document: JsonObject): string[] {
  return Array.from(places).flatMap(([owner, moved]) => {
    const taken = new Map<string, string>();
    const found: string[] = [];
    for (const name of namesOf(owner, document)) {
      const place = (moved.get(name) ?? [name]).join('.');
      for (const [other, by] of taken) {
        if (other !== place && !other.startsWith(`${place}.`) && !place.startsWith(`${other}.`)) continue;
        const [stays, comes] = moved.has(by) ? [name, by] : [by, name];
        const kind = isObject(schemasOf(document)[owner]) ? 'property' : 'parameter';
        found.push(
          moved.has(stays)
            ? `${owner} would have ${stays} and ${comes} at one place, ${place}; choose another for one of them.`
            : `${owner} already has a ${kind} ${stays}; choose another place for ${comes}.`,
        );
      }
      taken.set(place, name);
    }
    return found;
  });
}

/** The contract's own names of a schema's properties or an operation's parameters. */
function namesOf(owner: string, document: JsonObject): string[] {
  const schema = schemasOf(document)[owner];
  if (isObject(schema)) return Object.keys((schema.properties ?? {}) as JsonObject);
  const operation = operationsOf(document).find(({ id }) => id === owner);
  return ((operation?.node.parameters ?? []) as JsonObject[]).map((parameter) => String(resolve(document, parameter).name));
}

function schemasOf(document: JsonObject): JsonObject {
  return (document.components as JsonObject).schemas as JsonObject;
}

/** Rows on a body that another row leaves empty. */
function emptied({ answers, wraps }: Plan): string[] {
  return Array.from(answers).flatMap(([target, { media, body }]) => {
    if (body !== null) return [];
    if (media !== undefined)
      return [`The body of ${target} is empty and cannot have the media type ${media}; leave one row out.`];
    return wraps.has(target) ? [`The body of ${target} is empty and cannot be wrapped; leave one row out.`] : [];
  });
}

/** A status without a body for an answer that has one. */
function unsaid({ answers }: Plan): string[] {
  return Array.from(answers).flatMap(([target, { status, body }]) => {
    if (status === undefined || !WITHOUT_BODY.has(status) || body === null) return [];
    return [
      `The answer of ${target} has a body, and ${status} has none; add { body: ${target}, to: null }, or take another status.`,
    ];
  });
}
