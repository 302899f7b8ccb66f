import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../../cli/usage-error.ts';

interface PackageFile {
  readonly type?: string;
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly jest?: unknown;
}

export interface Project {
  readonly folder: string;
  readonly file: PackageFile;
  readonly packages: ReadonlySet<string>;
}

export const runners = ['vitest', 'jest', 'playwright', 'node'] as const;
export type Runner = (typeof runners)[number];

interface NewFile {
  readonly path: string;
  /** The file in templates/ that has the text. */
  readonly template: string;
}

/** The files with which a test runner uses the sandbox. */
export interface Setup {
  readonly test: NewFile;
  readonly config?: NewFile & {
    /** The configuration files that a project may have already, without extension. */
    readonly names: readonly string[];
    /** What the user adds to a configuration that exists. */
    readonly addition: string;
  };
  /** The command that runs the example. */
  readonly run: string;
}

/** Throws UsageError if the folder has no package.json that can be read. */
export function projectIn(folder: string): Project {
  let file: PackageFile;
  try {
    file = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = code === 'ENOENT' ? `${folder} has no package.json` : `package.json cannot be read: ${message}`;
    throw new UsageError(`${problem}; run init in the folder of a project.`);
  }
  return { folder, file, packages: new Set(Object.keys({ ...file.dependencies, ...file.devDependencies })) };
}

/** Returns the test runner that package.json names; undefined for none. Throws UsageError if package.json names several. */
export function runnerOf({ file, packages }: Project): Runner | undefined {
  const found = runners.filter(
    (name) => packages.has(name === 'playwright' ? '@playwright/test' : name) || (name === 'jest' && file.jest !== undefined),
  );
  if (found.length > 1) throw new UsageError(`package.json names ${found.join(' and ')}; choose one with --runner.`);
  return found[0];
}

export function setupOf(runner: Runner, { folder, file, packages }: Project): Setup {
  const tests = ['tests', 'test'].find((name) => existsSync(join(folder, name))) ?? '';
  const isTyped = packages.has('typescript') || existsSync(join(folder, 'tsconfig.json'));
  const test = (name: string, template: string) => ({ path: join(tests, name), template });
  switch (runner) {
    case 'vitest':
      return {
        // In a CommonJS project, TypeScript refuses the await at the top of a .ts file.
        test: test(`gift-cards.test.${isTyped ? (file.type === 'module' ? 'ts' : 'mts') : 'js'}`, 'vitest.test.js'),
        config: {
          ...{ path: 'vitest.config.mjs', template: 'vitest.config.mjs', names: ['vitest.config', 'vite.config'] },
          addition: "test: { globalSetup: ['giftcard-sandbox/vitest/setup'] }",
        },
        run: 'npx vitest run',
      };
    case 'jest': {
      const isTsJest = packages.has('ts-jest');
      const extension = file.type === 'module' ? 'cjs' : 'js'; // Without flags, Jest runs only CommonJS.
      return {
        test: isTsJest ? test('gift-cards.test.ts', 'ts-jest.test.ts') : test(`gift-cards.test.${extension}`, 'jest.test.js'),
        config: {
          ...{ path: 'jest.config.cjs', template: isTsJest ? 'ts-jest.config.cjs' : 'jest.config.cjs', names: ['jest.config'] },
          addition: "globalSetup: 'giftcard-sandbox/jest', globalTeardown: 'giftcard-sandbox/jest/teardown'",
        },
        run: 'npx jest',
      };
    }
    case 'playwright':
      return { test: test('gift-cards.spec.ts', 'playwright.spec.ts'), run: 'npx playwright test' };
    case 'node':
      return { test: test('gift-cards.test.mjs', 'node.test.mjs'), run: 'node --test' };
  }
}
