/** Line and column, counted from 1, at which a text stops being JSON; undefined where it is. Unlike the errors of JSON.parse it quotes nothing of the text. */
export function placeOfFault(text: string): { line: number; column: number } | undefined {
  const at = faultIn(text);
  if (at === undefined) return undefined;
  const before = text.slice(0, at).split(/\r\n|[\n\r]/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

const spaces = /[ \t\n\r]*/y;
const word = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/uy;
const plain = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function faultIn(text: string): number | undefined {
  let at = 0;
  const took = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const sign = (each: string): boolean => {
    took(spaces);
    if (text[at] !== each) return false;
    at += 1;
    took(spaces);
    return true;
  };
  const items = (end: string, item: () => boolean): boolean => {
    if (sign(end)) return true;
    do if (!item()) return false;
    while (sign(','));
    return sign(end);
  };
  const value = (): boolean => {
    took(spaces);
    if (sign('{')) return items('}', () => took(word) && sign(':') && value());
    if (sign('[')) return items(']', value);
    return took(word) || took(plain);
  };
  if (!value()) return at;
  took(spaces);
  return at === text.length ? undefined : at;
}
