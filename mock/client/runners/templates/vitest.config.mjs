import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Starts one sandbox for all test files.
  test: { globalSetup: ['giftcard-sandbox/vitest/setup'] },
});
