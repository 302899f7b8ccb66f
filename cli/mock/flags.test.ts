import { describe, expect, test } from 'vitest';
import { runCaptured } from '../../mock/testing/command-fixture.ts';
import { misspeltVariables } from '../flags.ts';
import { defineCommand } from '../run-command.ts';
import { type MockSettings, mockFlags, settingsFrom } from './flags.ts';

/** Returns the settings that a command with the flags of `mock` reads, or the command's output. */
async function read(argv: readonly string[], environment: Readonly<Record<string, string | undefined>> = {}) {
  let settings: MockSettings | undefined;
  const command = defineCommand({
    usage: 'mock',
    summary: '',
    flags: mockFlags,
    environment,
    run: (values) => {
      settings = settingsFrom(values);
      return 0;
    },
  });
  const { code, stderr } = await runCaptured(() => command, argv);
  return settings ?? { code, stderr };
}

const defaults = {
  port: 8460,
  host: '127.0.0.1',
  world: undefined,
  variant: undefined,
  vary: false,
  rateLimit: undefined,
  seed: undefined,
  state: undefined,
  writeProfile: undefined,
  controlToken: undefined,
  publicUrl: undefined,
  controlPort: undefined,
  control: true,
  allowHosts: undefined,
  allowHttpWebhooks: [],
  logFormat: 'text',
  quiet: false,
};

const valued: [flag: string, text: string, variable: string, expected: object][] = [
  ['port', '0', 'GIFTCARD_SANDBOX_PORT', { port: 0 }],
  ['port', '65535', 'GIFTCARD_SANDBOX_PORT', { port: 65_535 }],
  ['host', '0.0.0.0', 'GIFTCARD_SANDBOX_HOST', { host: '0.0.0.0' }],
  ['world', 'a world.yaml', 'GIFTCARD_SANDBOX_WORLD', { world: 'a world.yaml' }],
  ['variant', 'variant.yaml', 'GIFTCARD_SANDBOX_VARIANT', { variant: ['variant.yaml'] }],
  ['rate-limit', 'off', 'GIFTCARD_SANDBOX_RATE_LIMIT', { rateLimit: 'off' }],
  ['rate-limit', '5', 'GIFTCARD_SANDBOX_RATE_LIMIT', { rateLimit: 5 }],
  ['seed', '0', 'GIFTCARD_SANDBOX_SEED', { seed: 0 }],
  ['state', 'state.json', 'GIFTCARD_SANDBOX_STATE', { state: 'state.json' }],
  ['write-profile', 'p.json', 'GIFTCARD_SANDBOX_WRITE_PROFILE', { writeProfile: 'p.json' }],
  ['control-token', 'secret', 'GIFTCARD_SANDBOX_CONTROL_TOKEN', { controlToken: 'secret' }],
  ['public-url', 'https://cards.example.com', 'GIFTCARD_SANDBOX_PUBLIC_URL', { publicUrl: 'https://cards.example.com' }],
  ['control-port', '0', 'GIFTCARD_SANDBOX_CONTROL_PORT', { controlPort: 0 }],
  ['allow-host', 'shop, [::2]', 'GIFTCARD_SANDBOX_ALLOW_HOST', { allowHosts: ['shop', '[::2]'] }],
  [
    'allow-http-webhooks',
    'receiver, Shop.Internal',
    'GIFTCARD_SANDBOX_ALLOW_HTTP_WEBHOOKS',
    { allowHttpWebhooks: ['receiver', 'shop.internal'] },
  ],
  ['log-format', 'json', 'GIFTCARD_SANDBOX_LOG_FORMAT', { logFormat: 'json' }],
];

test('without flags, everything has a default', async () => {
  expect(await read([])).toEqual(defaults);
});

test.each(valued)('--%s %s, or %s', async (flag, text, variable, expected) => {
  expect(await read([`--${flag}`, text])).toEqual({ ...defaults, ...expected });
  expect(await read([`--${flag}=${text}`])).toEqual({ ...defaults, ...expected });
  expect(await read([], { [variable]: text })).toEqual({ ...defaults, ...expected });
  expect(await read([], { [variable]: '' })).toEqual(defaults);
});

test.each<[string[], string | undefined, boolean]>([
  [['--quiet'], undefined, true],
  [[], '1', true],
  [[], 'true', true],
  [[], '0', false],
  [[], '', false],
])('quiet: %j with GIFTCARD_SANDBOX_QUIET=%s', async (argv, variable, quiet) => {
  expect(await read(argv, { GIFTCARD_SANDBOX_QUIET: variable })).toMatchObject({ quiet });
});

test('--vary and --no-control have their variables, too', async () => {
  for (const [argv, environment] of [
    [['--vary', '--no-control'], {}],
    [[], { GIFTCARD_SANDBOX_VARY: '1', GIFTCARD_SANDBOX_NO_CONTROL: '1' }],
  ] as const)
    expect(await read(argv, environment)).toEqual({ ...defaults, vary: true, control: false });
});

test('a flag wins over its variable, and may be given only once', async () => {
  expect(await read(['--port', '1'], { GIFTCARD_SANDBOX_PORT: 'none' })).toMatchObject({ port: 1 });
  expect(await read([], { GIFTCARD_SANDBOX_PORT: 'tcp://10.0.0.1:8460' })).toMatchObject({ port: 8460 });
  expect(await read(['--port', '1', '--port', '2'])).toEqual({
    code: 2,
    stderr: expect.stringContaining('--port is given twice'),
  });
});

test('a misspelt variable has a suggestion; the variables of other commands and of Kubernetes have none', () => {
  const others = ['PORT', 'URL', 'ACCOUNT', 'CONTROL_URL', 'TIMEOUT', 'SERVICE_HOST', 'SERVICE_PORT', 'PORT_8460_TCP_ADDR'];
  const environment = Object.fromEntries(['RATELIMIT', ...others].map((name) => [`GIFTCARD_SANDBOX_${name}`, 'x']));
  const sentences = misspeltVariables({ ...environment, RATE_LIMITS: 'x' }, [...Object.keys(mockFlags), 'control-url']);
  expect(sentences).toEqual(['GIFTCARD_SANDBOX_RATELIMIT has no effect. Did you mean GIFTCARD_SANDBOX_RATE_LIMIT?']);
});

test('--allow-http-webhooks may be repeated', async () => {
  expect(await read(['--allow-http-webhooks', 'a', '--allow-http-webhooks', 'b,[::2]'])).toMatchObject({
    allowHttpWebhooks: ['a', 'b', '[::2]'],
  });
});

describe('input that cannot be used gets one sentence that names it', () => {
  test.each<[string[], Record<string, string>, RegExp]>([
    [['--port', '65536'], {}, /^--port .*0 to 65535.*"65536"/],
    [['--port', '-1'], {}, /^--port .*"-1"/],
    [['--seed', '-5'], {}, /^--seed .*"-5"/],
    [['--rate-limit', '-1'], {}, /^--rate-limit .*off.*"-1"/],
    [['--world', '--quiet'], {}, /^--world .*--quiet/],
    [['--port', '1e3'], {}, /"1e3"/],
    [['--port'], {}, /--port.*mock --help/],
    [['--host='], {}, /^--host is empty/],
    [['--world', ''], {}, /^--world is empty/],
    [['--rate-limit', 'none'], {}, /"none"/],
    [['--seed', '1.5'], {}, /^--seed .*"1\.5"/],
    [['--log-format', 'xml'], {}, /^--log-format .*text or json.*"xml"/],
    [['--control-token', 'undefined'], {}, /^--control-token .*"undefined"/],
    [['--control-token', ''], {}, /^--control-token /],
    [['--public-url', 'cards.example.com'], {}, /^--public-url .*"cards.example.com"/],
    [['--allow-http-webhooks', 'http://shop'], {}, /^--allow-http-webhooks .*"http:\/\/shop"/],
    [['--no-control', '--control-port', '0'], {}, /--no-control.*--control-port/],
    [['--colour'], {}, /--colour.*mock --help/],
    [['--prot', '1'], {}, /--prot.*--port/],
    [['--quiet=yes'], {}, /--quiet/],
    [['8460'], {}, /"8460".*mock --help/],
    [[], { GIFTCARD_SANDBOX_PORT: 'x' }, /^GIFTCARD_SANDBOX_PORT .*"x"/],
    [[], { GIFTCARD_SANDBOX_QUIET: 'yes' }, /^GIFTCARD_SANDBOX_QUIET .*"yes"/],
  ])('%j %j', async (argv, environment, sentence) => {
    expect(await read(argv, environment)).toEqual({ code: 2, stderr: expect.stringMatching(sentence) });
    expect(await read(argv, environment)).toEqual({ code: 2, stderr: expect.stringMatching(/^.+\.\n$/) });
  });
});
