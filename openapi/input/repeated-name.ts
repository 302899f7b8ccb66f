/** The first property that an object of a JSON text repeats, with its line from 1. JSON.parse accepts it silently. The text must be JSON. */
export function repeatedName(text: string): { readonly name: string; readonly line: number } | undefined {
  /** The names of each open object; undefined for an array. */
  const around: (Set<string> | undefined)[] = [];
  for (const { 0: token, 1: colon, index } of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    if (token === '{') around.push(new Set());
    else if (token === '[') around.push(undefined);
    else if (token === '}' || token === ']') around.pop();
    else if (colon !== undefined) {
      const names = around.at(-1);
      const name: string = JSON.parse(token.slice(0, -colon.length));
      if (names?.has(name)) return { name, line: text.slice(0, index).split('\n').length };
      names?.add(name);
    }
  }
  return undefined;
}
