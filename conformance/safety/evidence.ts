import type { Names } from '../http/redactor.ts';

/**
 * What a report shows of an answer. Records that the run did not make belong to somebody, and are kept as shapes only:
 * {"code":"string","balance":"number"}. The run's own are kept, with names in the place of codes and ids.
 */
export function evidence({ status, body, json }: { status: number; body: string; json: unknown }, names: Names): string {
  // A refusal is about the request, and is what a finding is about.
  if (status < 200 || status >= 300) return names.mask(body);
  if (json === undefined) return body.length <= 200 ? names.mask(body) : `(${body.length} characters that are no JSON)`;
  if (typeof json !== 'object' || json === null) return names.mask(body);
  const kept = told(json, (value) => names.isOwn(value));
  return names.mask(kept === json ? body : JSON.stringify(kept));
}

type Own = (value: unknown) => boolean;

/** The very same value where everything in it is kept. */
function told(json: unknown, own: Own): unknown {
  if (Array.isArray(json))
    return same(
      json,
      json.map((each) => told(each, own)),
    );
  if (typeof json !== 'object' || json === null) return own(json) ? json : shape(json);
  if (near(json).some(own)) return json;
  const wraps = Object.values(json).some(Array.isArray);
  const entries = Object.entries(json).map(([name, value]) => [
    name,
    wraps && typeof value === 'number' ? value : told(value, own),
  ]);
  return same(json, Object.fromEntries(entries));
}

const same = (before: object, after: object) =>
  Object.entries(after).every(([name, value]) => (before as Record<string, unknown>)[name] === value) ? before : after;

/** The values of a record and of what it consists of; what stands in its arrays are records of their own. */
function near(json: unknown): unknown[] {
  if (Array.isArray(json)) return [];
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(near) : [json];
}

const shape = (value: unknown): unknown => (value === null ? null : typeof value);
