import { describe, expect, test } from 'vitest';
import { UsageError } from './command-line.ts';
import { help, readFlags } from './flags.ts';

const defaults = {
  port: 8460,
  host: '127.0.0.1',
  world: undefined,
  facts: undefined,
  vary: false,
  rateLimit: undefined,
  seed: undefined,
  writeProfile: undefined,
  controlToken: undefined,
  controlPort: undefined,
  control: true,
  allowHttpWebhooks: [],
  logFormat: 'text',
  quiet: false,
  help: false,
  version: false,
};

/** Flag, its value as text, its twin in the environment, and what is read. */
const valued: [flag: string, text: string, twin: string, read: object][] = [
  ['port', '0', 'GIFTCARD_SANDBOX_PORT', { port: 0 }],
  ['port', '65535', 'GIFTCARD_SANDBOX_PORT', { port: 65_535 }],
  ['host', '0.0.0.0', 'GIFTCARD_SANDBOX_HOST', { host: '0.0.0.0' }],
  ['world', 'a world.yaml', 'GIFTCARD_SANDBOX_WORLD', { world: 'a world.yaml' }],
  ['facts', 'facts.yaml', 'GIFTCARD_SANDBOX_FACTS', { facts: 'facts.yaml' }],
  ['rate-limit', 'off', 'GIFTCARD_SANDBOX_RATE_LIMIT', { rateLimit: 'off' }],
  ['rate-limit', '5', 'GIFTCARD_SANDBOX_RATE_LIMIT', { rateLimit: 5 }],
  ['seed', '0', 'GIFTCARD_SANDBOX_SEED', { seed: 0 }],
  ['write-profile', 'p.json', 'GIFTCARD_SANDBOX_WRITE_PROFILE', { writeProfile: 'p.json' }],
  ['control-token', 'secret', 'GIFTCARD_SANDBOX_CONTROL_TOKEN', { controlToken: 'secret' }],
  ['control-port', '0', 'GIFTCARD_SANDBOX_CONTROL_PORT', { controlPort: 0 }],
  [
    'allow-http-webhooks',
    'receiver, Shop.Internal',
    'GIFTCARD_SANDBOX_ALLOW_HTTP_WEBHOOKS',
    { allowHttpWebhooks: ['receiver', 'shop.internal'] },
  ],
  ['log-format', 'json', 'GIFTCARD_SANDBOX_LOG_FORMAT', { logFormat: 'json' }],
];

test('without any, everything has a default', () => {
  expect(readFlags([], {})).toEqual(defaults);
});

test.each(valued)('--%s %s, or %s', (flag, text, twin, read) => {
  expect(readFlags([`--${flag}`, text], {})).toEqual({ ...defaults, ...read });
  expect(readFlags([`--${flag}=${text}`], {})).toEqual({ ...defaults, ...read });
  expect(readFlags([], { [twin]: text })).toEqual({ ...defaults, ...read });
  expect(readFlags([], { [twin]: '' })).toEqual(defaults);
});

test('--vary, or GIFTCARD_SANDBOX_VARY', () => {
  expect(readFlags(['--vary'], {})).toEqual({ ...defaults, vary: true });
  expect(readFlags([], { GIFTCARD_SANDBOX_VARY: '1' })).toEqual({ ...defaults, vary: true });
});

test('a flag wins over its twin', () => {
  expect(readFlags(['--port', '1'], { GIFTCARD_SANDBOX_PORT: '2' }).port).toBe(1);
  expect(readFlags(['--port', '1'], { GIFTCARD_SANDBOX_PORT: 'none' }).port).toBe(1);
});

test.each([
  [['--quiet'], undefined, true],
  [[], '1', true],
  [[], 'true', true],
  [[], '0', false],
  [[], '', false],
])('quiet: %j with GIFTCARD_SANDBOX_QUIET=%s', (argv, twin, quiet) => {
  expect(readFlags(argv, { GIFTCARD_SANDBOX_QUIET: twin }).quiet).toBe(quiet);
});

test('the control door is closed by --no-control or its twin', () => {
  expect(readFlags(['--no-control'], {})).toEqual({ ...defaults, control: false });
  expect(readFlags([], { GIFTCARD_SANDBOX_NO_CONTROL: '1' })).toEqual({ ...defaults, control: false });
  expect(readFlags([], { GIFTCARD_SANDBOX_NO_CONTROL: '0' })).toEqual(defaults);
  expect(() => readFlags(['--no-control', '--control-port', '0'], {})).toThrow(/^--no-control closes the door .*\.$/);
});

test('--allow-http-webhooks may be given more than once', () => {
  const { allowHttpWebhooks } = readFlags(['--allow-http-webhooks', 'a', '--allow-http-webhooks', 'b,[::2]'], {});
  expect(allowHttpWebhooks).toEqual(['a', 'b', '[::2]']);
});

test('help and version are asked for', () => {
  expect(readFlags(['--help'], {}).help).toBe(true);
  expect(readFlags(['--version'], {}).version).toBe(true);
  for (const [flag] of valued) expect(help).toContain(`--${flag} `);
  expect(help).toContain('GIFTCARD_SANDBOX_RATE_LIMIT');
});

describe('what cannot be used is told in a sentence that names it', () => {
  test.each<[string[], Record<string, string>, RegExp]>([
    [['--port', '65536'], {}, /^--port .*"65536"\.$/],
    [['--port', '-1'], {}, /^--port takes a whole number from 0 to 65535, not "-1"\.$/],
    [['--seed', '-5'], {}, /^--seed takes a whole number from 0 to 2147483647, not "-5"\.$/],
    [['--rate-limit', '-1'], {}, /^--rate-limit takes a whole number from 1 to \d+ or off, not "-1"\.$/],
    [['--world', '--quiet'], {}, /^--world needs a value before --quiet\. See giftcard-sandbox mock --help\.$/],
    [['--port', '80x'], {}, /^--port .*"80x"\.$/],
    [['--port', '1e3'], {}, /"1e3"/],
    [['--port'], {}, /--port.*--help/],
    [['--host='], {}, /^--host is empty/],
    [['--world', ''], {}, /^--world is empty/],
    [['--rate-limit', '0'], {}, /^--rate-limit .*"0"\.$/],
    [['--rate-limit', 'none'], {}, /"none"/],
    [['--control-port', '65536'], {}, /^--control-port .*"65536"\.$/],
    [['--seed', '1.5'], {}, /^--seed .*"1\.5"\.$/],
    [['--log-format', 'xml'], {}, /^--log-format takes text or json, not "xml"\.$/],
    [['--allow-http-webhooks', 'http://shop'], {}, /^--allow-http-webhooks .*"http:\/\/shop"\.$/],
    [['--colour'], {}, /--colour.*--help/],
    [['--quiet=yes'], {}, /--quiet/],
    [['8460'], {}, /8460.*--help/],
    [[], { GIFTCARD_SANDBOX_PORT: 'x' }, /^GIFTCARD_SANDBOX_PORT .*"x"\.$/],
    [[], { GIFTCARD_SANDBOX_QUIET: 'yes' }, /^GIFTCARD_SANDBOX_QUIET .*"yes"\.$/],
    [[], { GIFTCARD_SANDBOX_LOG_FORMAT: 'xml' }, /^GIFTCARD_SANDBOX_LOG_FORMAT /],
  ])('%j %j', (argv, env, sentence) => {
    expect(() => readFlags(argv, env)).toThrow(UsageError);
    expect(() => readFlags(argv, env)).toThrow(sentence);
  });
});
