import { execSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Installs the packages of one long check from the lock file in its folder, once. `npm ci` at the root leaves them out. Calls for a folder must not overlap. */
export function installTools(folder: string): void {
  const lock = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules/.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lock))) return;
  process.stderr.write(`Installing the packages of this check, once until the lock file changes: npm ci in ${folder}\n`);
  // Under "npm pack --dry-run", npm would pass the flag on.
  execSync('npm ci --ignore-scripts --no-audit --no-fund --no-dry-run', { cwd: folder, stdio: ['ignore', 2, 2] });
  copyFileSync(lock, installed);
}

if (process.argv[1] === import.meta.filename) installTools(resolve(process.argv[2] ?? '.'));
