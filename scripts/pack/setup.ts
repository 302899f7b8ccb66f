import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
/** Packages that a project has next to giftcard-sandbox. Links save their installation. */
const TOOLS = ['@jest', '@playwright', '@types', 'jest', 'playwright', 'ts-jest', 'typescript', 'vitest'];

/** Builds, packs and installs the package in an empty project, which cannot reach files of the repository. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-pack-'));
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'new-user', private: true, type: 'module' }));
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder });
  const { stdout } = await run('du', ['-sk', join(folder, 'node_modules')]);
  for (const name of TOOLS) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
  project.provide('packed', { folder, tarball: join(folder, tarball), installedKilobytes: Number.parseInt(stdout, 10) });
  return () => rmSync(folder, { recursive: true, force: true });
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly packed: { readonly folder: string; readonly tarball: string; readonly installedKilobytes: number };
  }
}
