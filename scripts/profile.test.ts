import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import schema from '../conformance/generated/profile.schema.json' with { type: 'json' };
import { readProfile } from '../conformance/profile-file.ts';
import { startMock } from '../mock/index.ts';
import { main } from '../mock/main.ts';
import { defaultWorldProfile } from './mutants/profile.ts';

const folder = mkdtempSync(join(tmpdir(), 'profile-'));
afterAll(() => rmSync(folder, { recursive: true }));

function kept(content: unknown): string {
  const file = join(folder, 'profile.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

test('the profile that the mock writes of the default world is the one that the suite is tested with', async () => {
  await using mock = await startMock({ listen: false, rateLimit: 'off' });
  expect(readProfile(kept(mock.profile()))).toEqual(defaultWorldProfile);
});

test('the recipe has it as well', () => {
  expect(readProfile('recipes/conformance/profile.json')).toEqual(defaultWorldProfile);
});

test('the command writes it', async () => {
  const file = join(folder, 'written.json');
  let ended: Promise<number> | undefined;
  await new Promise<string>((resolve, reject) => {
    const argv = ['--port', '0', '--quiet', '--rate-limit', 'off', '--write-profile', file];
    ended = main(argv, {}, { stdout: { write: resolve }, stderr: { write: reject } });
  });
  process.emit('SIGTERM');
  expect(await ended).toBe(0);
  expect(readProfile(file)).toEqual(defaultWorldProfile);
});

test.each([
  [[], ['must be a JSON object']],
  [{ vouchr: 'X' }, ['unknown entry "vouchr"', 'voucherCode']],
  [{ voucherCode: 7 }, ['"voucherCode" must be a string, not 7', 'voucher']],
  [{ automationEvent: { name: 'x' } }, ['"automationEvent" lacks "amount"', 'What the automation gives']],
  [{ clock: { advance: { method: 'POST' } } }, ['"clock.advance" lacks "url"', 'Where it goes']],
  [{ receiver: { port: 1 } }, ['"receiver" has an unknown entry "port"', 'listen, url']],
  [{ channelCard: { code: 'A', sourceId: 3 } }, ['"channelCard.sourceId" must be a string, not 3']],
])('%j is told in sentences that name the file, the entry and the way out', (content, parts) => {
  const file = kept(content);
  for (const part of [file, ...parts]) expect(() => readProfile(file)).toThrow(part);
});

test('everything that is wrong is told, and no key', () => {
  const file = kept({ secondKey: 12345, playMoney: 'yes' });
  expect(() => readProfile(file)).toThrow(/secondKey.*\n.*playMoney/);
  expect(() => readProfile(file)).not.toThrow('12345');
});

test('an editor may be told where the schema is', () => {
  expect(readProfile(kept({ $schema: './profile.schema.json', playMoney: true }))).toEqual({ playMoney: true });
});

test('the schema says of every entry what it means', () => {
  const silent = (node: object, path: string): string[] =>
    Object.entries((node as { properties?: Record<string, { description?: string }> }).properties ?? {}).flatMap(
      ([name, inner]) => [...(inner.description ? [] : [`${path}${name}`]), ...silent(inner, `${path}${name}.`)],
    );
  expect(silent(schema, '')).toEqual([]);
});
