import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import '../bundle.ts';
import { accounts } from './accounts.ts';
import { pages } from './pages.ts';
import { rows } from './requests.ts';
import { pinning } from './server.ts';
import { minutesFor, sideBySide } from './side-by-side.ts';
import { startUp } from './start-up.ts';
import { wrkMissing } from './wrk.ts';

/** Everything that can be measured, by what `npm run bench -- NAME` calls it; each prints a table of its own. */
const PARTS: Readonly<Record<string, { readonly minutes: number; measure(root: string, folder: string): Promise<string> }>> = {
  start: { minutes: 1, measure: startUp },
  ...Object.fromEntries(
    rows.map((row) => [row.short, { minutes: minutesFor(row), measure: (root, folder) => sideBySide(row, root, folder) }]),
  ),
  pages: { minutes: 2, measure: pages },
  accounts: { minutes: 1, measure: accounts },
};

function say(text: string): void {
  process.stdout.write(text);
}

async function bench(names: readonly string[]): Promise<void> {
  const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const parts = names.map((name) => PARTS[name]).filter((part) => part !== undefined);
  const minutes = parts.reduce((sum, part) => sum + part.minutes, 0);
  say(`node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}, ${pinning}; at most ${minutes} minutes.\n`);
  for (const part of parts) say(`\n${await part.measure(root, folder)}`);
}

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in PARTS));
const complaint =
  unknown === undefined ? wrkMissing() : `There is no "${unknown}" to measure; there are ${Object.keys(PARTS).join(', ')}.`;
if (complaint === undefined) await bench(names.length > 0 ? names : Object.keys(PARTS));
else {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 2;
}
