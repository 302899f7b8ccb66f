import type { MockOptions } from 'giftcard-sandbox';
import { startForRun, stopForRun } from './run-sandbox.ts';

export { testAccount, testSandbox } from './run-sandbox.ts';

/**
 * Returns a globalSetup of vitest that starts one sandbox for all test files, with these options.
 * @example
 * // sandbox.setup.ts, for `globalSetup: 'sandbox.setup.ts'`
 * export default setupSandbox({ rateLimit: 'off' });
 */
export function setupSandbox(options?: MockOptions): () => Promise<() => Promise<void>> {
  return async () => {
    await startForRun(options);
    return stopForRun;
  };
}

/** For `globalSetup: 'giftcard-sandbox/vitest/setup'` in the configuration of vitest. */
export default setupSandbox();
