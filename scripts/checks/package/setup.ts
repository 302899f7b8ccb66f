import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { installTools } from '../../tools.ts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
/** Test runners, and what they need. Links save their installation. Jest is installed in this folder. */
const TOOLS = ['@jest/globals', '@playwright/test', '@types/node', 'jest', 'ts-jest', 'typescript', 'vitest'];

/** Builds, packs and installs the package in an empty project, which cannot reach files of the repository. */
export default async function setup(project: TestProject) {
  installTools(import.meta.dirname);
  const whole = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-pack-'));
  const folder = join(whole, 'project');
  mkdirSync(folder);
  await run('npm', ['pack', '--silent', '--pack-destination', whole], { cwd: root });
  const tarball = join(whole, readdirSync(whole).find((name) => name.endsWith('.tgz')) ?? '');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'new-user', private: true, type: 'module' }));
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
  const { stdout } = await run('du', ['-sk', join(folder, 'node_modules')]);

  // A copy, because npm would delete the content of linked folders.
  const modules = join(whole, 'with-runners/node_modules');
  cpSync(join(folder, 'node_modules'), modules, { recursive: true, verbatimSymlinks: true });
  for (const name of TOOLS) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    const installed = [root, import.meta.dirname].map((each) => join(each, 'node_modules', name)).find(existsSync);
    symlinkSync(installed ?? name, join(modules, name));
  }
  project.provide('packed', { folder, modules, tarball, installedKilobytes: Number.parseInt(stdout, 10) });
  return () => rmSync(whole, { recursive: true, force: true });
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly packed: {
      /** A project with the package only. */
      readonly folder: string;
      /** A node_modules with the package and test runners. */
      readonly modules: string;
      readonly tarball: string;
      readonly installedKilobytes: number;
    };
  }
}
