/** The entries of the package: source files by file name in dist/, without extension. */
export const entries = {
  index: 'mock/index.ts',
  control: 'mock/control/client.ts',
  vitest: 'conformance/vitest.ts',
  'vitest-setup': 'runners/vitest-setup.ts',
  jest: 'runners/jest.ts',
  'jest-teardown': 'runners/jest-teardown.ts',
  playwright: 'runners/playwright.ts',
} as const;
