import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../cli/commands.ts';
import { runCommand } from '../cli/run-command.ts';
import { type Mock, startMock } from '../mock/index.ts';

/** Provokes each message of docs/troubleshooting.md. The titles of the page are the exact texts. */
const page = readFileSync(join(import.meta.dirname, '../docs/troubleshooting.md'), 'utf8');
const titles = Array.from(page.matchAll(/^### (.*)$/gm), ([, title = '']) => title);

let mock: Mock;
let folder: string;
beforeAll(async () => {
  mock = await startMock();
  folder = mkdtempSync(join(tmpdir(), 'troubleshooting-'));
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

/** Returns the response of the service. */
async function textOf(method: string, path: string, body?: object, key = mock.apiKey): Promise<string> {
  const headers = { ...(key === '' ? {} : { 'x-api-key': key }), 'content-type': 'application/json' };
  const response = await fetch(`${mock.url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return response.text();
}

/** Returns what a command prints. */
async function printed(name: string, argv: readonly string[], environment: Record<string, string> = {}): Promise<string> {
  let text = '';
  const io = { stdout: { write: (part: string) => (text += part) }, stderr: { write: (part: string) => (text += part) } };
  const definition = await commands[name]?.[1](environment, io);
  if (definition) await runCommand(definition, argv, io, '1.2.3');
  return text;
}

const withPort = (text: string, port: string) => text.replaceAll(port, '8460');

const provoked: Readonly<Record<string, () => Promise<string>>> = {
  'The x-api-key header': () => textOf('GET', '/api/Company/Profile', undefined, ''),
  'The API key is not': () => textOf('GET', '/api/Company/Profile', undefined, 'sandbox-key-of-another-mock'),
  'A gift card has already': async () => {
    await textOf('POST', '/api/GiftCard/Create', { balance: 25, uniqueId: 'order-1001' });
    return textOf('POST', '/api/GiftCard/Create', { balance: 25, uniqueId: 'order-1001' });
  },
  'The request is not valid': () =>
    textOf('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode', {
      giftCardCode: 'ACTIVE-0001',
      adjustmentAmount: -5,
      uniqueAdjustmentId: 'sale-1',
    }),
  'There is nothing': () => textOf('POST', '/api/giftcard/create', { balance: 25 }),
  'Too many requests': async () => {
    await using limited = await startMock({ rateLimit: 1, listen: false });
    const send = () => limited.fetch(`${limited.url}/api/Company/Profile`, { headers: { 'x-api-key': limited.apiKey } });
    await send();
    return await (await send()).text();
  },
  'The webhook URL': () => textOf('POST', '/api/Webhook/Create', { url: 'http://shop.example/hook' }),
  'Port 8460': async () => {
    const { port } = new URL(mock.url);
    return withPort(await printed('mock', ['--port', port]), port);
  },
  'No sandbox responds': async () => {
    const ended = await startMock();
    await ended.close();
    return withPort(await printed('ready', ['--url', ended.url]), new URL(ended.url).port);
  },
  'The control API needs': async () => {
    await using open = await startMock({ host: '0.0.0.0' });
    return await (await fetch(`${open.url}/__mock/accounts`)).text();
  },
  'The control API is not': () =>
    new Promise((done) => {
      request(`${mock.url}/__mock/accounts`, { headers: { host: 'sandbox.internal:8460' } }, async (response) => {
        done((await response.toArray()).join(''));
      }).end();
    }),
  '"curency"': async () => {
    const world = join(folder, 'world.yaml');
    writeFileSync(world, 'accounts:\n  - id: shop\n    curency: EUR\n');
    return printed('mock', ['--world', world]);
  },
  'Nothing matches': async () => {
    await using waiting = await startMock({ listen: false });
    const account = await waiting.createAccount({ name: 'Shop' });
    return await account.deliveries.waitFor({ topic: 'giftcard/updated' }).then(
      () => 'found',
      ({ message }: Error) => message,
    );
  },
  'The environment variable': () => printed('conformance', ['run', '--target', mock.url, '--ledger', folder]),
  'The target': async () => {
    const text = await printed('conformance', ['run', '--target', mock.url, '--ledger', folder], { GIFTCARD_API_KEY: 'unknown' });
    return withPort(text, new URL(mock.url).port);
  },
};

test('the page has the fifteen commonest messages, and each is provoked', () => {
  expect(titles).toHaveLength(15);
  expect(titles.map((title) => Object.keys(provoked).filter((start) => title.startsWith(start)).length)).toEqual(
    titles.map(() => 1),
  );
});

test.each(Object.entries(provoked))('%s…', async (start, provoke) => {
  const title = titles.find((each) => each.startsWith(start));
  expect(title).toBeDefined();
  expect((await provoke()).replaceAll('\\"', '"')).toContain(title);
});
