import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import '../bundle.ts';
import { wrkMissing } from './load.ts';
import { memory } from './memory.ts';
import { pages } from './pages.ts';
import { pinning } from './server.ts';
import { requests, throughput } from './throughput.ts';
import { accounts, startUp } from './timings.ts';

/** The parts of `npm run bench -- NAME …`; each prints a table. */
const PARTS: Readonly<Record<string, (root: string, folder: string) => Promise<string>>> = {
  start: startUp,
  ...Object.fromEntries(
    requests.map((request) => [request.part, (root: string, folder: string) => throughput(request, root, folder)]),
  ),
  pages,
  accounts,
  memory,
};

async function bench(names: readonly string[]): Promise<void> {
  const root = resolve(import.meta.dirname, '../..');
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.stdout.write(`node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}, ${pinning}.\n`);
  for (const name of names) process.stdout.write(`\n${await PARTS[name]?.(root, folder)}`);
}

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in PARTS));
const problem =
  unknown === undefined ? wrkMissing() : `There is no part "${unknown}"; the parts are ${Object.keys(PARTS).join(', ')}.`;
if (problem === undefined) await bench(names.length > 0 ? names : Object.keys(PARTS));
else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
}
