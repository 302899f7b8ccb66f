import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Mock, type MockOptions, startMock } from '../../mock/index.ts';
import { painter } from '../color.ts';
import { banner } from './banner.ts';

const key = 'sandbox-key-main-not-a-real-key';

/** Returns the lines of the banner without a terminal. */
async function lines(options: MockOptions): Promise<{ url: string; control: string; said: string[] }> {
  await using mock = await startMock(options);
  return { url: mock.url, control: mock.controlUrl ?? '', said: banner(mock, false, painter(false)).split('\n') };
}

const keys = [
  `${key}    main · Pro · USD`,
  'sandbox-key-other-not-a-real-key   other · Enterprise · EUR',
  '(no usable key)                    basic · Basic · USD',
];

test('on a terminal: addresses, keys with their accounts, a line to try and the documentation', async () => {
  await using mock = await startMock({ seed: 7 });
  const { url } = mock;
  expect(banner(mock, true, painter(false))).toMatch(/^\ngiftcard-sandbox \d+\.\d+\.\d+\n\n {2}API {8}http/);
  expect(banner(mock, true, painter(false)).split('\n').slice(3, -1)).toEqual([
    `  API        ${url}`,
    `  Dashboard  ${url}/__mock/`,
    ...keys.map((text) => `  API key    ${text}`),
    '  Seed       7',
    '',
    `  Try   curl -H 'x-api-key: ${key}' ${url}/api/GiftCard/List`,
    `  Docs  ${url}/__mock/#//reference`,
    '',
  ]);
  expect(banner(mock, true, painter(true))).toContain(`\x1b[2mAPI      \x1b[22m  \x1b[36m${url}\x1b[39m`);
});

test('in a pipe, the first line is the base URL', async () => {
  const { url, said } = await lines({ seed: 7 });
  expect(said.slice(0, 6)).toEqual([
    url,
    `Dashboard  ${url}/__mock/`,
    ...keys.map((text) => `API key    ${text}`),
    'Seed       7',
  ]);
});

test('the dashboard has the port of the control API, or no line', async () => {
  const { control, said } = await lines({ controlPort: 0 });
  expect(said).toContain(`Dashboard  ${control}/__mock/`);
  expect((await lines({ control: false })).said.join()).not.toContain('__mock');
});

test('with a token, the dashboard has an address that signs in once', async () => {
  const { url, said } = await lines({ host: '0.0.0.0', controlToken: 'a&b' });
  expect(said.slice(1, 3)).toEqual([
    expect.stringMatching(`^Dashboard  ${url}/__mock/sign-in[?]code=[\\w-]{36}$`),
    expect.stringMatching(/^Token {6}a&b {3}.*x-sandbox-token/),
  ]);
});

test('a variant and a state have lines', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'banner-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const state = join(folder, 'state');
  const variant = {
    behaviors: { 'gift-card.void.body': 'empty' },
    overrides: [{ rename: 'GiftCard.initialValue', to: 'worth' }],
  };
  const first = (await lines({ state, variant: variant as never })).said;
  expect(first).toContainEqual(
    expect.stringMatching(/^Behaviors {2}1 not the default, overrides: 1 {3}http.*__mock\/behaviors$/),
  );
  expect(first).toContainEqual(expect.stringMatching(/^State {6}\S+state is new/));
  expect((await lines({ state })).said).toContainEqual(expect.stringContaining(`State      loaded from ${state}; --world`));
});

test('many accounts are counted, and a key with quotes stays one word of the shell', async () => {
  const accounts = Array.from({ length: 25 }, (_, index) => ({
    id: `a-${index}`,
    keys: [{ key: `it's-${index}`, description: '' }],
  }));
  const { url, said } = await lines({ world: { accounts } });
  expect(said.filter((line) => line.startsWith('API key'))).toHaveLength(20);
  expect(said.join('\n')).toContain(' and 5 more accounts\n');
  expect(said.join('\n')).toContain(`Try        curl -H 'x-api-key: it'\\''s-0' ${url}/api/GiftCard/List\n`);
});

test.each([
  [undefined, true],
  [{ path: '/state', wasThere: true }, true],
  [{ path: 'postgres://user:***@db/sandbox', wasThere: false }, true],
  [{ path: 'postgres://user:***@db/sandbox', wasThere: true }, false],
])('with the state %o, the banner has a seed: %s', (state, hasSeed) => {
  const mock = { url: 'http://127.0.0.1:8460', accounts: [], seed: 7, state, variant: { differing: 0, overrides: 0 } };
  expect(banner(mock as unknown as Mock, false, painter(false)).includes('Seed ')).toBe(hasSeed);
});
