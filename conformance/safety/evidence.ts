import type { Names } from '../http/redactor.ts';

/**
 * The part of an answer that a report shows. Records that the run did not create are kept as shapes only: {"code":"string","balance":"number"}.
 * The run's own records are kept, with placeholders for codes and ids.
 */
export function evidence({ status, body, json }: { status: number; body: string; json: unknown }, names: Names): string {
  // A refusal is about the run's own request.
  if (status < 200 || status >= 300) return names.mask(body);
  if (json === undefined) return body.length <= 200 ? names.mask(body) : `(${body.length} characters, not JSON)`;
  if (typeof json !== 'object' || json === null) return names.mask(body);
  const kept = redactRecords(json, (value) => names.isOwn(value));
  return names.mask(kept === json ? body : JSON.stringify(kept));
}

type IsOwn = (value: unknown) => boolean;

/** Returns the same object if everything in it is kept. */
function redactRecords(json: unknown, own: IsOwn): unknown {
  if (Array.isArray(json))
    return same(
      json,
      json.map((each) => redactRecords(each, own)),
    );
  if (typeof json !== 'object' || json === null) return own(json) ? json : shape(json);
  if (ownValues(json).some(own)) return json;
  const wraps = Object.values(json).some(Array.isArray);
  const entries = Object.entries(json).map(([name, value]) => [
    name,
    wraps && typeof value === 'number' ? value : redactRecords(value, own),
  ]);
  return same(json, Object.fromEntries(entries));
}

const same = (before: object, after: object) =>
  Object.entries(after).every(([name, value]) => (before as Record<string, unknown>)[name] === value) ? before : after;

/** The values of a record and of its nested objects. Elements of its arrays are records of their own. */
function ownValues(json: unknown): unknown[] {
  if (Array.isArray(json)) return [];
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(ownValues) : [json];
}

const shape = (value: unknown): unknown => (value === null ? null : typeof value);
