/** The entries of the package: source files by file name in dist/, without extension. */
export const entries = {
  index: 'mock/index.ts',
  control: 'mock/control/client.ts',
  vitest: 'conformance/vitest.ts',
  'vitest-setup': 'mock/client/runners/vitest-setup.ts',
  jest: 'mock/client/runners/jest.ts',
  'jest-teardown': 'mock/client/runners/jest-teardown.ts',
  playwright: 'mock/client/runners/playwright.ts',
} as const;
