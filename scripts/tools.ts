import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Installs the packages of one long check from the lock file in its folder, unless they are installed already. `npm ci` at the root does not install
 * them, because most people never run that check. Two calls for one folder must not run at the same time.
 */
export function installTools(folder: string): void {
  const lock = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules/.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lock))) return;
  process.stderr.write(`Installing the packages of this check, once until the lock file changes: npm ci in ${folder}\n`);
  // Under "npm pack --dry-run", npm would pass the flag on.
  const { status } = spawnSync('npm ci --no-audit --no-fund --no-dry-run', { cwd: folder, shell: true, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`npm ci failed in ${folder}; its message is above.`);
  copyFileSync(lock, installed);
}

if (process.argv[1] === import.meta.filename) installTools(resolve(process.argv[2] ?? '.'));
