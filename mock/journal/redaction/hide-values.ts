import { decoded } from '../../contract/parse/decoded.ts';
import { hiddenInAddresses } from './hide-in-address.ts';

/** A text in quotes, to its end or that of a body that was cut, and the colon that makes it a name. */
const QUOTED = /"((?:[^"\\]|\\.)*)(?:"(\s*:\s*)?|\\?$)/gs;
/** What a value with parts is read by. */
const PARTS = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\]]/gs;
/** A value without parts, or the beginning of one that was cut. */
const SCALAR = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[^\s"{}[\],]*/sy;

/**
 * JSON, however it is spaced and wherever it was cut, with `"mask"` for the whole value of each name that `isHidden` says it of, and `mask` for what is
 * secret in the addresses in all other texts; what is null or empty is left. It goes over the text once.
 */
export function hideMembers(text: string, mask: string, isHidden: (name: string) => boolean): string {
  let shown = '';
  let from = 0;
  QUOTED.lastIndex = 0;
  for (let found = QUOTED.exec(text); found; found = QUOTED.exec(text)) {
    const [, letters = '', colon] = found;
    const written = unescaped(letters);
    if (colon === undefined || !isHidden(written)) {
      const told = hiddenInAddresses(written, mask);
      if (told === written) continue;
      shown += text.slice(from, found.index + 1) + (written === letters ? told : escaped(told, mask));
      from = found.index + 1 + letters.length;
      continue;
    }
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

/** The text as it is meant; one that JSON cannot read stays as it is written. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

function escaped(text: string, mask: string): string {
  return text
    .split(mask)
    .map((part) => JSON.stringify(part).slice(1, -1))
    .join(mask);
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
