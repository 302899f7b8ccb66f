import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { overdraw } from '../testing/result-fixture.ts';
import { curlOfExchange } from './curl.ts';

/** Runs the script in a shell. Returns the arguments of each call of curl. */
function called(script: string): string[][] {
  const shell = `curl() { printf '%s\\n' "$@"; echo; }\n${script}`;
  const env = { GIFTCARD_API_KEY: 'the-key', SECOND_KEY: 'the other key', WRONG: 'x', card_1: 'NEW-1', run: 'RUN' };
  const { stdout, stderr } = spawnSync('sh', ['-uc', shell], { encoding: 'utf8', env });
  expect(stderr).toBe('');
  return stdout
    .trimEnd()
    .split('\n\n')
    .map((call) => call.split('\n'));
}

test('a line repeats its exchange with keys and codes from variables', () => {
  const lines = overdraw.exchanges.map((each) => curlOfExchange(each, 'http://127.0.0.1:8460'));
  expect(called(lines.join('\n'))).toEqual([
    [
      '-sSg',
      '-X',
      'POST',
      'http://127.0.0.1:8460/api/GiftCard/Create',
      '-H',
      'x-api-key: the-key',
      '-H',
      'content-type: application/json',
      '--data-raw',
      '{"balance":1,"code":"NEW-1","uniqueId":"GCS-URUN0002"}',
    ],
    ['-sSg', 'http://127.0.0.1:8460/api/GiftCard/GetByCode/NEW-1', '-H', 'x-api-key: the other key'],
  ]);
});

test('every part of a request is one word for the shell', () => {
  const exchange = { ...(overdraw.exchanges[1] ?? expect.fail()), requestHeaders: {} };
  const path = `/api/'"$WRONG";\`echo\` $(echo) [1]`;
  expect(called(curlOfExchange({ ...exchange, path }, 'http://127.0.0.1'))).toEqual([['-sSg', `http://127.0.0.1${path}`]]);
});

test('a request to another origin keeps its URL; a body without a type has no type', () => {
  const [exchange = expect.fail()] = overdraw.exchanges;
  const sent = { ...exchange, elsewhere: 'http://127.0.0.1:9', path: '/clock', requestHeaders: {}, requestBody: '@file' };
  expect(called(curlOfExchange(sent, 'http://127.0.0.1'))).toEqual([
    ['-sSg', '-X', 'POST', 'http://127.0.0.1:9/clock', '-H', 'content-type:', '--data-raw', '@file'],
  ]);
});

test('a body with line breaks and control characters arrives as it was sent', () => {
  const [exchange = expect.fail()] = overdraw.exchanges;
  const requestBody = '{\n\t"notes": "it\'s 100 %s \\n \u0085 \u202e \u{e0067}",\n  "email": "card#1.recipient"\n}\n';
  const line = curlOfExchange({ ...exchange, requestHeaders: {}, requestBody }, 'http://127.0.0.1');
  expect(line).toMatch(/--data-binary @-$/);
  const env = { card_1_recipient: '100%s@example.com', LC_ALL: 'C' };
  const { stdout, stderr } = spawnSync('sh', ['-uc', `curl() { cat; }\n${line}`], { encoding: 'utf8', env });
  expect([stderr, stdout]).toEqual(['', requestBody.replace('card#1.recipient', env.card_1_recipient)]);
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
