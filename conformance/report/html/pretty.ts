/** Indents JSON and keeps every token as it was sent: 25.00 stays 25.00, and a repeated property stays repeated. */
export function prettyJson(text: string): string {
  if (!isJson(text)) return text;
  let out = '';
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(depth)}`;
  // Strings, brackets, separators and other tokens; blanks between them are dropped.
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
