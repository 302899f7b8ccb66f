import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { overdraw } from '../testing/result-fixture.ts';
import { curlScript } from './curl.ts';

/** The arguments of curl after a shell has read the script: one per line, with an empty line after each call. */
function called(script: string): string[][] {
  const shell = `curl() { printf '%s\\n' "$@"; echo; }\ndate() { echo 1700000000; }\n${script}`;
  const env = { GIFTCARD_API_KEY: 'the-key', SECOND_KEY: 'the other key', WRONG: 'x' };
  const { stdout, stderr } = spawnSync('sh', ['-uc', shell], { encoding: 'utf8', env });
  expect(stderr).toBe('');
  return stdout
    .trimEnd()
    .split('\n\n')
    .map((call) => call.split('\n'));
}

test('the script repeats the exchanges with keys from the environment and new values', () => {
  expect(called(curlScript(overdraw.exchanges, 'http://127.0.0.1:8460'))).toEqual([
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
      '{"balance":1,"code":"GCS1700000000X1","uniqueId":"GCS-U17000000000002"}',
    ],
    ['-sSg', 'http://127.0.0.1:8460/api/GiftCard/GetByCode/GCS1700000000X1', '-H', 'x-api-key: the other key'],
  ]);
});

test('the script reads the ID of a card that it creates, and names the variables to set first', () => {
  const [create = expect.fail()] = overdraw.exchanges;
  const look = { ...create, method: 'GET', path: '/api/GiftCard/GetById/card#1.id', requestBody: undefined as never };
  const other = { ...look, path: '/api/GiftCard/GetById/card#2.id?source=«channelCard.sourceId»' };
  const script = curlScript([create, look, other], 'http://127.0.0.1');
  expect(script.split('\n').slice(0, 3)).toEqual([
    '# This creates cards: void them afterwards.',
    '# Set these first: GIFTCARD_API_KEY, CHANNEL_CARD_SOURCE_ID',
    '# Set the IDs of existing cards first: card_2_id',
  ]);
  const shell = `curl() { case "$*" in *Create*) echo '{"id":"the-id-7","code":"x","owner":{"id":9}}' ;; *) echo "$2" ;; esac; }\n${script}`;
  const env = { ...process.env, GIFTCARD_API_KEY: 'k', CHANNEL_CARD_SOURCE_ID: 's', card_2_id: 'two' };
  const { stdout } = spawnSync('sh', ['-uc', shell], { encoding: 'utf8', env });
  expect(stdout.trimEnd().split('\n')).toEqual([
    'http://127.0.0.1/api/GiftCard/GetById/the-id-7',
    'http://127.0.0.1/api/GiftCard/GetById/two?source=s',
  ]);
});

test('every part of a request is one word for the shell', () => {
  const exchange = { ...(overdraw.exchanges[1] ?? expect.fail()), requestHeaders: {} };
  const path = `/api/'"$WRONG";\`echo\` $(echo) [1]`;
  expect(called(curlScript([{ ...exchange, path }], 'http://127.0.0.1'))).toEqual([['-sSg', `http://127.0.0.1${path}`]]);
});

test('a request to another origin keeps its URL; a body without a type has no type', () => {
  const [exchange = expect.fail()] = overdraw.exchanges;
  const sent = { ...exchange, elsewhere: 'http://127.0.0.1:9', path: '/clock', requestHeaders: {}, requestBody: '@file' };
  expect(called(curlScript([sent], 'http://127.0.0.1'))).toEqual([
    ['-sSg', '-X', 'POST', 'http://127.0.0.1:9/clock', '-H', 'content-type:', '--data-raw', '@file'],
  ]);
});
