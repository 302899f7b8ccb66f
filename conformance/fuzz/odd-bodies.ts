import fc, { type Arbitrary } from 'fast-check';
import { excerpt } from '../core/text.ts';
import { type BaseRequest, entriesOf, jsonText, type OddRequest, written } from './base-request.ts';
import type { InputField } from './operation-input.ts';

/** What can be odd about a body as a whole, its content type, and the other headers. */

/** Bodies that are not the JSON object of any request. */
// biome-ignore format: a table
const strangeBodies: readonly string[] = [
  '', ' ', 'null', 'true', '7', '"text"', '[]', '{}', '{', '}', '[', '"', '\u0000', '\ufeff', 'NaN', 'undefined', '<xml/>',
  'a=1&b=2', '{"a":}', '{"a":1,}', "{'a':1}", '{a:1}', '//{}', '{}{}', '{"":""}', '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":1}}', '"\\ud800"', '1e999', '[[]]',
];

// biome-ignore format: a table
const oddContentTypes: readonly (string | null)[] = [
  null, '', 'text/plain', 'text/html', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data',
  'multipart/form-data; boundary=x', 'application/json; charset=utf-16', 'application/json; charset=nonsense',
  'APPLICATION/JSON', 'application/json;;;', 'nonsense', 'application/json, text/plain', 'application/merge-patch+json',
  'application/octet-stream', '*/*', `application/${'x'.repeat(300)}`,
];

// biome-ignore format: a table
export const oddHeaders: readonly Readonly<Record<string, string>>[] = [
  { accept: '' }, { accept: 'nonsense' }, { accept: 'text/html;q=2' }, { accept: 'image/png' },
  { 'accept-language': 'xx-'.repeat(200) }, { 'accept-encoding': 'nonsense' }, { 'accept-charset': 'utf-7' },
  { 'content-encoding': 'nonsense' }, { 'content-language': 'nonsense' }, { cookie: '=;;=' }, { range: 'bytes=9-1' },
  { 'if-match': '*' }, { 'if-none-match': '"' }, { 'if-modified-since': 'soon' }, { authorization: 'Basic %%%' },
  { 'x-forwarded-for': 'nobody' }, { 'x-forwarded-host': '[' }, { 'x-forwarded-proto': 'gopher' }, { forwarded: 'for=' },
  { 'user-agent': '' }, { origin: 'null' }, { referer: 'nonsense' }, { traceparent: '00-0-0-0' },
  { 'x-request-id': 'é'.repeat(50) }, { 'x-long': 'x'.repeat(6_000) }, { te: 'nonsense' },
];

const deepBody: Arbitrary<string> = fc
  .tuple(fc.constantFrom('[', '{"a":'), fc.nat(5_000), fc.boolean())
  .map(([open, depth, closed]) => open.repeat(depth + 1) + (closed ? `1${(open === '[' ? ']' : '}').repeat(depth + 1)}` : ''));

/** Unmarked bodies are sent only if allowed: what they create holds no value of this run. */
export function oddBodies(
  fields: readonly InputField[],
  allowsUnmarked: boolean,
  random: <T>(values: Arbitrary<T>, number: number) => T[],
): OddRequest[][] {
  const replacing = (description: string, write: (base: BaseRequest) => string): OddRequest => ({
    description,
    write: (base) => written(base, { text: write(base) }),
  });
  const missing = fields.map(({ name }) => ({
    ...replacing(`no ${name}`, (base) => jsonText(entriesOf(base).filter(([each]) => each !== name))),
    field: name,
  }));
  const twice = fields.map(({ name }) =>
    replacing(`${name} twice`, (base) => {
      const same = entriesOf(base).filter(([each]) => each === name);
      return jsonText([...same, ...entriesOf(base), ...same]);
    }),
  );
  const wrapped = ['[*]', '{"body":*}', '\ufeff*', '*}', '*,', ' \r\n*\t', '"*', '*\u0000', '/**/*'].map((around) =>
    replacing(`the body as ${excerpt(around.replace('*', '…'), 40)}`, (base) =>
      around.replace('*', () => JSON.stringify(base.body)),
    ),
  );
  const more = random(fc.tuple(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 2 })), 6).map(([name, value]) =>
    replacing(`one more property, ${excerpt(JSON.stringify(name), 40)}`, (base) =>
      jsonText([...entriesOf(base), [`x${name}`, JSON.stringify(value)]]),
    ),
  );
  const many = random(fc.nat(3_000), 3).map((number) =>
    replacing(`${number} properties more`, (base) =>
      jsonText([...entriesOf(base), ...Array.from({ length: number }, (_, index) => [`x${index}`, '1'] as const)]),
    ),
  );
  const typed = oddContentTypes.map(
    (contentType): OddRequest => ({
      description: contentType === null ? 'no content type' : `the content type ${excerpt(JSON.stringify(contentType), 60)}`,
      write: (base) => written(base, { contentType }),
    }),
  );
  const groups = [[...missing, ...twice, ...wrapped], more, many, typed];
  if (!allowsUnmarked) return groups;
  const cut = random(fc.nat(95), 10).map((percent) =>
    replacing(`the body cut off after ${percent} %`, (base) => {
      const whole = JSON.stringify(base.body);
      return whole.slice(0, Math.floor((whole.length * percent) / 100));
    }),
  );
  const strange = [...strangeBodies, ...random(deepBody, 6)].map((text) =>
    replacing(`the body ${excerpt(JSON.stringify(text), 40)}`, () => text),
  );
  return [...groups, ...[strange, cut].map((group) => group.map((each) => ({ ...each, isUnmarked: true })))];
}
