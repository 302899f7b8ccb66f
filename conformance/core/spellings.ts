/** All encodings of a value in a URL, a form, a JSON text or a page; itself first. A redacted value must not appear in any of them. */
export function spellings(value: string): string[] {
  if (/^[\w.-]*$/.test(value)) return [value];
  const percent = /\p{Cs}/u.test(value) ? value : encodeURIComponent(value);
  const form = new URLSearchParams({ '': value }).toString().slice(1);
  const json = JSON.stringify(value).slice(1, -1);
  const escapes = value.replace(/[^ -~]|[<>&'"+`\\]/g, (c) =>
    c === '\\' ? '\\\\' : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const page = value.replace(/[&<>"'+]/g, (c) => entities[c] ?? c);
  const all = [value, percent, form, percent.replace(/%20/g, '+'), json, escapes, page];
  return [...new Set(all.flatMap((each) => [each, ...otherHex(each)]))];
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '+': '&#43;',
};

/** With hexadecimal digits of the other letter case. */
const otherHex = (text: string): string[] => [
  text.replace(/%[\dA-Fa-f]{2}/g, (hex) => hex.toLowerCase()),
  text.replace(/\\u[\dA-Fa-f]{4}/g, (hex) => `\\u${hex.slice(2).toUpperCase()}`),
];
