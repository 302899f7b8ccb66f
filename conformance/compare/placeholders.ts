import { parseJson } from '../http/json-search.ts';

const time = String.raw`\d{4}-\d\d-\d\d[T ]\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d+)?)?(Z|(?:[+-]|%2B)\d\d(?::|%3A)?\d\d)?`;
const uuid = String.raw`\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b`;

/** Patterns of values that differ between runs, each with its placeholder. A name such as card#1 contains a number, which may differ between runs. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [new RegExp(time, 'gi'), '«time»$1'],
  [new RegExp(uuid, 'gi'), '«id»'],
  [/\b[\da-f]{24,}\b/gi, '«id»'],
  [/«run»\w*/g, '«run»'],
  [/\b(card|link|address|other)#\d+/g, '$1#'],
  [/\b(127\.0\.0\.1|localhost):\d+/g, '$1:«port»'],
];

export const withPlaceholders = (text: string): string =>
  patterns.reduce((replaced, [pattern, placeholder]) => replaced.replace(pattern, placeholder), text);

const cutBody = /\(\d+ characters(, not JSON)?\)$/;

/** Returns the JSON of a body, or its text, with placeholders. Returns undefined if the report shows only a part of the body. */
export function parsedBody(body: string): unknown {
  if (cutBody.test(body)) return undefined;
  // The placeholder of a numeric ID has no quotes.
  const quoted = body.replace(/(?<=[:[,]\s*)\w+#\d+(\.id)?(?=\s*[,\]}])/g, '"$&"');
  return jsonWithPlaceholders(parseJson(quoted) ?? body);
}

/** Replaces values by placeholders. The value of a property such as "cardId" becomes «id», even if the value is a number. */
const jsonWithPlaceholders = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json), (name, value: unknown) => {
    const isId = /(^id|Id|ID)$/.test(name) && (typeof value === 'number' || typeof value === 'string');
    if (isId || (typeof value === 'string' && looksGenerated(value))) return '«id»';
    return typeof value === 'string' ? withPlaceholders(value) : value;
  });

/** Guesses whether a text is a generated code or token. */
const looksGenerated = (text: string): boolean => /^(?=.*\d)(?=.*[a-z])[\w-]{10,}$/i.test(text) && !/^\d{4}-\d\d-\d\d/.test(text);
