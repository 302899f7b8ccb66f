import { expect, test } from 'vitest';
import { spellings } from '../../openapi/spellings.ts';
import { openSession } from '../core/session.ts';
import { Redactor } from './redactor.ts';

const key = 'abc+/de"fgh <ij>é==';

test.each([
  key,
  encodeURIComponent(key),
  encodeURIComponent(key).toLowerCase(),
  String(new URLSearchParams({ key })).slice(4),
  JSON.stringify(key).slice(1, -1),
  'abc\\u002B/de\\u0022fgh \\u003Cij\\u003E\\u00E9==',
  'abc&#43;/de&quot;fgh &lt;ij&gt;é==',
])('a key is masked when it is encoded as %s', (written) => {
  const redactor = new Redactor();
  redactor.learn(key, '«key»');
  expect(redactor.mask(`before ${written} after`)).toBe('before «key» after');
});

test('a plain value has one encoding; half a surrogate pair causes no error', () => {
  expect(spellings('GCS-1_a.b')).toEqual(['GCS-1_a.b']);
  expect(spellings('\ud800/')[0]).toBe('\ud800/');
});

test('a secret of two or three characters is masked as a whole word, and not inside words', () => {
  const { redactor } = openSession({ url: 'http://127.0.0.1', key: 'dev', profile: { voucherCode: 'V1' } });
  expect(redactor.mask('GET /api/GiftCard/GetByCode/V1?x-api-key=dev, {"key":"dev","developer":"dev ops","V1":"V12"}')).toBe(
    'GET /api/GiftCard/GetByCode/«voucherCode»?x-api-key=«key», {"key":"«key»","developer":"dev ops","«voucherCode»":"V12"}',
  );
  expect(redactor.mask('{\\"key\\":\\"dev\\"}')).toBe('{\\"key\\":\\"«key»\\"}');
});

test("the target's base URL is readable with a path, too", () => {
  const url = 'https://service.example.com/shop';
  const { redactor } = openSession({ url, key: 'the-key', profile: {} });
  expect(redactor.mask(`${url}, ${url}/api/GiftCard/List, ${url}/balance/7`)).toBe(`${url}, ${url}/api/GiftCard/List, link#1`);
});

const MEBIBYTE = 1_048_576;
/** Texts that a target can send. Each has an @, because texts without one are not searched for addresses. */
test.each(['a', '%2B', 'a.', '@', 'a@', '@a.', '/api/', '/api/a/GetByCode/', 'http://', 'https://a.', '«', ' '])(
  'a text of a mebibyte of %j is masked in linear time',
  (part) => {
    const redactor = new Redactor();
    redactor.learn('a'.repeat(20), '«key»');
    redactor.learnMark('MARK');
    const started = performance.now();
    redactor.mask(`${part.repeat(MEBIBYTE / part.length)} @ recipient@shop.example`);
    expect(performance.now() - started).toBeLessThan(10_000);
  },
);
