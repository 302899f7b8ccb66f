import type { MockOptions } from 'giftcard-sandbox';
import { startForRun } from './run-sandbox.ts';

export { testAccount, testSandbox } from './run-sandbox.ts';

/**
 * Returns a globalSetup of Jest that starts one sandbox for all test files, with these options.
 * @example
 * // sandbox.setup.cjs, for `globalSetup: './sandbox.setup.cjs'`
 * module.exports = require('giftcard-sandbox/jest').setupSandbox({ rateLimit: 'off' });
 */
export function setupSandbox(options?: MockOptions): () => Promise<void> {
  return () => startForRun(options);
}

/** For `globalSetup: 'giftcard-sandbox/jest'` in the configuration of Jest. It needs `globalTeardown: 'giftcard-sandbox/jest/teardown'`. */
export default setupSandbox();
