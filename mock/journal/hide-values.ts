import { decoded } from '../decoded.ts';

/** A text in quotes, to its end or that of a body that was cut, and the colon that makes it a name. */
const QUOTED = /"((?:[^"\\]|\\.)*)(?:"(\s*:\s*)?|\\?$)/gs;
/** What a value with parts is read by. */
const PARTS = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\]]/gs;
/** A value without parts, or the beginning of one that was cut. */
const SCALAR = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[^\s"{}[\],]*/sy;

/**
 * JSON, however it is spaced and wherever it was cut, with `"mask"` for the whole value of each name that `isHidden` says it of; what is null or
 * empty is left. It goes over the text once.
 */
export function hideMembers(text: string, mask: string, isHidden: (name: string) => boolean): string {
  let shown = '';
  let from = 0;
  QUOTED.lastIndex = 0;
  for (let found = QUOTED.exec(text); found; found = QUOTED.exec(text)) {
    const [, name = '', colon] = found;
    if (colon === undefined || !isHidden(unescaped(name))) continue;
    const start = QUOTED.lastIndex;
    const end = endOfValue(text, start);
    if (['', 'null', '""'].includes(text.slice(start, end))) continue;
    shown += `${text.slice(from, start)}"${mask}"`;
    from = QUOTED.lastIndex = end;
  }
  return shown + text.slice(from);
}

function endOfValue(text: string, start: number): number {
  if (text[start] !== '{' && text[start] !== '[') {
    SCALAR.lastIndex = start;
    SCALAR.test(text);
    return SCALAR.lastIndex;
  }
  let depth = 0;
  PARTS.lastIndex = start;
  for (let found = PARTS.exec(text); found; found = PARTS.exec(text)) {
    const [part] = found;
    if (part === '{' || part === '[') depth++;
    else if ((part === '}' || part === ']') && --depth === 0) return PARTS.lastIndex;
  }
  return text.length;
}

/** The name as it is meant; one that JSON cannot read stays as it is written. */
function unescaped(name: string): string {
  if (!name.includes('\\')) return name;
  try {
    return JSON.parse(`"${name}"`) as string;
  } catch {
    return name;
  }
}

/** Names in what is no JSON: in single quotes, in none at all, of a form. */
const NAMED = /(?<![\w.[\]%-])([\w.[\]%-]+)["']?\s*[=:]\s*/gs;
/** Their values. Where one has parts, all that follows belongs to it. */
const VALUE = /[[{].*|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|(?:(?:bearer|basic)\s+)?[^"'&,;\s}]*/isy;

/** The same in a text that is no JSON. */
export function hidePairs(text: string, mask: string, isHidden: (name: string) => boolean): string {
  let shown = '';
  let from = 0;
  NAMED.lastIndex = 0;
  for (let found = NAMED.exec(text); found; found = NAMED.exec(text)) {
    if (!isHidden(decoded(found[1] as string))) continue;
    const start = NAMED.lastIndex;
    VALUE.lastIndex = start;
    const [value = ''] = VALUE.exec(text) ?? [];
    if (value === '') continue;
    const quote = /^["']/.exec(value)?.[0] ?? '';
    shown += text.slice(from, start) + quote + mask + quote;
    from = NAMED.lastIndex = start + value.length;
  }
  return shown + text.slice(from);
}
