/** Changes of whole answers, for the option `answers` of the reference server. */

/** Each object has additional properties. */
export function withMoreProperties(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(withMoreProperties);
  const own = Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withMoreProperties(value)]));
  return { revision: 3, ...own, tags: [], links: { self: 'https://cards.example/self', help: null }, isNew: true };
}

/** Histories, whose types are not given, with times as milliseconds since 1970 and amounts as text. */
export const historiesWithOtherTypes = (json: unknown, path: string): unknown =>
  !path.includes('/ListAdjustments')
    ? json
    : eachLeaf(json, (value, name) => {
        if (isTime(value)) return Date.parse(/Z$|[+-]\d\d:\d\d$/.test(value) ? value : `${value}Z`);
        return name === 'number' ? Number(value).toFixed(2) : value;
      });

function eachLeaf(json: unknown, change: (value: unknown, name: string) => unknown, name = ''): unknown {
  if (typeof json !== 'object' || json === null) return change(json, name);
  if (Array.isArray(json)) return json.map((item) => eachLeaf(item, change, name));
  return Object.fromEntries(Object.entries(json).map(([inner, value]) => [inner, eachLeaf(value, change, inner)]));
}

const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
