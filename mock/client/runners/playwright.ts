import { test as base } from '@playwright/test';
import type { Account, Sandbox } from 'giftcard-sandbox';
import { startForRun, stopForRun, testSandbox } from './run-sandbox.ts';

export { expect } from '@playwright/test';

export interface SandboxFixtures {
  /** An account for this test only. Its content: a copy of the default account. */
  readonly account: Account;
}

export interface SandboxWorkerFixtures {
  /** The sandbox at GIFTCARD_SANDBOX_URL. Without this variable, each worker of Playwright starts a sandbox of its own. */
  readonly sandbox: Sandbox;
}

/**
 * Playwright's `test` with the fixtures `sandbox` and `account`.
 * @example
 * test('a card is found', async ({ account, request }) => {
 *   const headers = { 'x-api-key': account.apiKey };
 *   await expect(await request.get(`${account.url}/api/GiftCard/GetByCode/ACTIVE-0001`, { headers })).toBeOK();
 * });
 */
export const test = base.extend<SandboxFixtures, SandboxWorkerFixtures>({
  sandbox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      await startForRun();
      await use(testSandbox());
      await stopForRun();
    },
    { scope: 'worker' },
  ],
  account: async ({ sandbox }, use) => {
    const account = await sandbox.createAccount();
    await use(account);
    await account.remove();
  },
});
