import fc, { type Arbitrary } from 'fast-check';

/** What can be odd of a request as a whole: its body, its content type, its headers. */

/** Bodies that say nothing of what is asked for. */
// biome-ignore format: a table
export const strangeBodies: readonly string[] = [
  '',
  ' ',
  'null',
  'true',
  '7',
  '"text"',
  '[]',
  '{}',
  '{',
  '}',
  '[',
  '"',
  '\u0000',
  '\ufeff',
  'NaN',
  'undefined',
  '<xml/>',
  'a=1&b=2',
  '{"a":}',
  '{"a":1,}',
  "{'a':1}",
  '{a:1}',
  '//{}',
  '{}{}',
  '{"":""}',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":1}}',
  '"\\ud800"',
  '1e999',
  '[[]]',
];

export const deepBody: Arbitrary<string> = fc
  .tuple(fc.constantFrom('[', '{"a":'), fc.nat(5_000), fc.boolean())
  .map(([open, depth, closed]) => open.repeat(depth + 1) + (closed ? `1${(open === '[' ? ']' : '}').repeat(depth + 1)}` : ''));

// biome-ignore format: a table
export const oddContentTypes: readonly (string | null)[] = [
  null,
  '',
  'text/plain',
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=nonsense',
  'APPLICATION/JSON',
  'application/json;;;',
  'nonsense',
  'application/json, text/plain',
  'application/merge-patch+json',
  'application/octet-stream',
  '*/*',
  `application/${'x'.repeat(300)}`,
];

// biome-ignore format: a table
export const oddHeaders: readonly Readonly<Record<string, string>>[] = [
  { accept: '' },
  { accept: 'nonsense' },
  { accept: 'text/html;q=2' },
  { accept: 'image/png' },
  { 'accept-language': 'xx-'.repeat(200) },
  { 'accept-encoding': 'nonsense' },
  { 'accept-charset': 'utf-7' },
  { 'content-encoding': 'nonsense' },
  { 'content-language': 'nonsense' },
  { cookie: '=;;=' },
  { range: 'bytes=9-1' },
  { 'if-match': '*' },
  { 'if-none-match': '"' },
  { 'if-modified-since': 'soon' },
  { authorization: 'Basic %%%' },
  { 'x-forwarded-for': 'nobody' },
  { 'x-forwarded-host': '[' },
  { 'x-forwarded-proto': 'gopher' },
  { forwarded: 'for=' },
  { 'user-agent': '' },
  { origin: 'null' },
  { referer: 'nonsense' },
  { traceparent: '00-0-0-0' },
  { 'x-request-id': 'é'.repeat(50) },
  { 'x-long': 'x'.repeat(6_000) },
  { te: 'nonsense' },
];
