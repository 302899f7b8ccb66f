/** Returns the value, and its encodings in URLs, forms, JSON texts and HTML pages. */
export function spellings(value: string): string[] {
  if (/^[\w.-]*$/.test(value)) return [value];
  // A URL cannot have half a surrogate pair.
  const percent = encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'));
  const all = [
    value,
    percent,
    percent.replace(/%20/g, '+'),
    new URLSearchParams({ '': value }).toString().slice(1),
    JSON.stringify(value).slice(1, -1),
    value.replace(/[^ -~]|[<>&'"+`\\]/g, (c) => (c === '\\' ? '\\\\' : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)),
    value.replace(/[&<>"'+]/g, (c) => entities[c] ?? c),
  ];
  // Hexadecimal digits may have either letter case.
  const otherCase = (text: string) =>
    text
      .replace(/%[\dA-Fa-f]{2}/g, (hex) => hex.toLowerCase())
      .replace(/\\u[\dA-Fa-f]{4}/g, (hex) => `\\u${hex.slice(2).toUpperCase()}`);
  return [...new Set(all.flatMap((each) => [each, otherCase(each)]))];
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '+': '&#43;' };
