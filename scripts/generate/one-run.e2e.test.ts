import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { projectFiles } from '../lint/size.ts';

const root = resolve(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'generate-'));
afterAll(() => rmSync(copy, { recursive: true }));

const TOPIC = 'giftcard/sixth';
const files = projectFiles(root);

/** Adds a topic to every list of topics in a file that is written by hand. */
function addTopic(path: string): void {
  const text = readFileSync(join(copy, path), 'utf8');
  writeFileSync(join(copy, path), text.replaceAll(/giftcard\/expired(?=\])/g, `giftcard/expired, ${TOPIC}`));
}

const generate = async (...flags: string[]) => {
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/generate.ts', ...flags], {
    cwd: copy,
  });
  return stderr;
};

test('one run of generate is enough for a sixth topic of webhooks', async () => {
  for (const path of files) cpSync(join(root, path), join(copy, path));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const path of files) if (path.endsWith('.yaml') && /^(openapi|mock\/control)\//.test(path)) addTopic(path);
  await expect(generate('--check')).rejects.toThrow(/openapi\/generated\/types\.ts is stale/);
  await generate();
  const changed = files.filter((path) => !readFileSync(join(copy, path)).equals(readFileSync(join(root, path))));
  for (const path of ['contract.json', 'types.ts', 'validators.js']) expect(changed).toContain(`openapi/generated/${path}`);
  expect(changed).toContain('mock/store/snapshot/generated/validate-snapshot.js');
  expect(await generate('--check')).toBe('');
});
