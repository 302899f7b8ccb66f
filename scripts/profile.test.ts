import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mockCommand } from '../cli/mock/main.ts';
import { runCommand } from '../cli/run-command.ts';
import { openSession } from '../conformance/core/session.ts';
import schema from '../conformance/generated/profile.schema.json' with { type: 'json' };
import { readProfile } from '../conformance/http/target.ts';
import { startMock } from '../mock/index.ts';
import { defaultWorldProfile } from './default-world-profile.ts';

const folder = mkdtempSync(join(tmpdir(), 'profile-'));
afterAll(() => rmSync(folder, { recursive: true }));

function kept(content: unknown): string {
  const file = join(folder, 'profile.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

test('the profile that the mock writes is the one of the recipe, with which the suite is tested', async () => {
  await using mock = await startMock({ listen: false, rateLimit: 'off' });
  expect(readProfile(kept(mock.profile()))).toEqual(defaultWorldProfile);
});

test('the recipe has it as well', () => {
  expect(readProfile('docs/recipes/conformance/profile.json')).toEqual(defaultWorldProfile);
});

test('the command writes it', async () => {
  const file = join(folder, 'written.json');
  let ended: Promise<number> | undefined;
  await new Promise<string>((resolve, reject) => {
    const argv = ['--port', '0', '--quiet', '--rate-limit', 'off', '--write-profile', file];
    const io = { stdout: { write: resolve }, stderr: { write: reject } };
    ended = runCommand(mockCommand({}, io), argv, io, '');
  });
  process.emit('SIGTERM');
  expect(await ended).toBe(0);
  expect(readProfile(file)).toEqual(defaultWorldProfile);
});

test.each([
  [[], 'must be an object'],
  [{ vouchr: 'X' }, 'voucherCode'],
  [{ voucherCode: 7 }, ': voucherCode: voucherCode must be a string'],
  [{ clock: { advance: { method: 'POST' } } }, ': clock.advance.url: "url" is missing'],
  [{ receiver: { port: 1 } }, 'Known: listen, url'],
])('%j is rejected with the file, the entry and the remedy', (content, part) => {
  const file = kept(content);
  expect(() => readProfile(file)).toThrow(`The profile ${file}: `);
  expect(() => readProfile(file)).toThrow(part);
});

test('all errors are reported, and no value', () => {
  const file = kept({ secondKey: 12345, clock: { advance: { method: 'GET', url: '/', headers: { authorization: 12345 } } } });
  for (const part of ['secondKey must', 'authorization must']) expect(() => readProfile(file)).toThrow(part);
  expect(() => readProfile(file)).not.toThrow('12345');
});

test('malformed JSON is reported with its line and column, and without its text', () => {
  const file = kept({});
  writeFileSync(file, '{\n  "secondKey": sk_live_12"\n}');
  expect(() => readProfile(file)).toThrow(`The profile ${file} is not JSON: line 2, column 16.`);
  expect(() => readProfile(file)).not.toThrow('sk_live');
  expect(() => readProfile(join(folder, 'none.json'))).toThrow('cannot be read');
});

interface ProfileNode {
  readonly description?: string;
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, ProfileNode>>;
}

test('the schema marks secrets: keys, codes, recipients, channel IDs and headers of the clock', () => {
  const secret = (node: ProfileNode, path = ''): string[] =>
    Object.entries(node.properties ?? {}).flatMap(([name, entry]) => [
      ...(entry.writeOnly ? [`${path}${name}`] : []),
      ...secret(entry, `${path}${name}.`),
    ]);
  const all = (node: ProfileNode, path = ''): string[] =>
    Object.entries(node.properties ?? {}).flatMap(([name, entry]) => [`${path}${name}`, ...all(entry, `${path}${name}.`)]);
  expect(secret(schema)).toEqual(all(schema).filter((path) => /(key|code|recipient|sourceId|headers)$/i.test(path)));
  const { redactor } = openSession({
    url: 'http://127.0.0.1',
    key: 'the-key',
    profile: {
      clock: {
        advance: {
          method: 'POST',
          url: '/',
          headers: { authorization: 'Bearer abc', accept: 'application/json', 'x-on': 'true' },
        },
      },
      channelCard: { code: 'CODE1', sourceId: 'source-1' },
    },
  });
  expect(redactor.mask('Bearer abc, application/json, true, CODE1, source-1')).toBe(
    '«clock.advance.headers.authorization», application/json, true, «channelCard.code», «channelCard.sourceId»',
  );
});

test('$schema is allowed', () => {
  expect(readProfile(kept({ $schema: './profile.schema.json', playMoney: true }))).toEqual({ playMoney: true });
});

test('every entry has a description', () => {
  const silent = (node: object, path: string): string[] =>
    Object.entries((node as { properties?: Record<string, { description?: string }> }).properties ?? {}).flatMap(
      ([name, inner]) => [...(inner.description ? [] : [`${path}${name}`]), ...silent(inner, `${path}${name}.`)],
    );
  expect(silent(schema, '')).toEqual([]);
});
