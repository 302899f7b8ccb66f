/** JSON with line breaks and indents, every token as it was sent: 25.00 stays 25.00, and a name that stands twice stands twice. */
export function pretty(text: string): string {
  if (!isJson(text)) return text;
  let out = '';
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(depth)}`;
  // Strings, brackets, separators, and everything else; blanks between them are left out.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === '{' || token === '[') {
      depth += 1;
      out += token + newLine();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      const isEmpty = /[{[]\s*$/.test(out.slice(-(2 * depth + 4)));
      out = isEmpty ? out.trimEnd() + token : out + newLine() + token;
    } else if (token === ',') out += token + newLine();
    else out += token === ':' ? ': ' : token;
  }
  return out;
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
