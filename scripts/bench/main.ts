import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { large } from './large.ts';
import { pinning } from './server.ts';
import { memory, postgres, requests, throughput } from './throughput.ts';
import { measureAccounts, startUp } from './timings.ts';

/** The parts of `npm run bench -- NAME … [SECONDS]`. A part returns a table. Only `memory` uses the seconds. */
const PARTS: Readonly<Record<string, (root: string, folder: string, seconds: number) => Promise<string>>> = {
  start: startUp,
  ...Object.fromEntries(
    requests.map((request) => [request.part, (root: string, folder: string) => throughput(request, root, folder)]),
  ),
  postgres,
  large,
  accounts: measureAccounts,
  memory,
};

async function bench(names: readonly string[]): Promise<void> {
  const root = resolve(import.meta.dirname, '../..');
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.stdout.write(`node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}, ${pinning}.\n`);
  for (const name of names) process.stdout.write(`\n${await PARTS[name]?.(root, folder, seconds)}`);
}

const [seconds = 40] = process.argv.map(Number).filter((number) => number > 0);
const names = process.argv.slice(2).filter((text) => text !== String(seconds));
const unknown = names.filter((name) => !(name in PARTS)).map((name) => `There is no part "${name}".`);
const missing = spawnSync('wrk', ['-v']).error ? ['wrk is not installed: apt-get install wrk, or brew install wrk.'] : [];
const problems = [...unknown, ...missing];
if (problems.length === 0) await bench(names.length > 0 ? names : Object.keys(PARTS));
else {
  process.stderr.write(`${problems.join(' ')} The parts are ${Object.keys(PARTS).join(', ')}.\n`);
  process.exitCode = 2;
}
