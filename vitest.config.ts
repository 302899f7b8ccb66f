import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{mock,conformance,openapi,scripts}/**/*.test.ts', '*.test.ts'],
    testTimeout: 15_000,
  },
});
