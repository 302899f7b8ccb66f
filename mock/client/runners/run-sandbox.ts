import type { Account, AccountDescription, AccountOptions, MockOptions, Sandbox } from 'giftcard-sandbox';
import { connectSandbox } from '../sandbox.ts';

const { env } = process;
/** Test runners pass their environment variables on to the processes of test files. */
const ADDRESS = 'GIFTCARD_SANDBOX_URL';
const CONTROL = 'GIFTCARD_SANDBOX_CONTROL_URL';
const TOKEN = 'GIFTCARD_SANDBOX_CONTROL_TOKEN';

let stop: (() => Promise<void>) | undefined;

/** Starts the sandbox of a test run. Does nothing if GIFTCARD_SANDBOX_URL names a sandbox that runs already. */
export async function startForRun(options: MockOptions = {}): Promise<void> {
  if (env[ADDRESS]) return;
  const { startMock } = await import('../../index.ts');
  const { url, controlUrl = url, controlToken, close } = await startMock(options);
  Object.assign(env, { [ADDRESS]: url, [CONTROL]: controlUrl, ...(controlToken ? { [TOKEN]: controlToken } : {}) });
  stop = close;
}

/** Stops the sandbox that `startForRun` has started. */
export async function stopForRun(): Promise<void> {
  if (!stop) return;
  for (const variable of [ADDRESS, CONTROL, TOKEN]) delete env[variable];
  await stop();
  stop = undefined;
}

/**
 * Returns the sandbox of this test run.
 * @throws Error if the test runner has not started a sandbox.
 */
export function testSandbox(): Sandbox {
  const { [ADDRESS]: url, [CONTROL]: controlUrl = url, [TOKEN]: token } = env;
  if (url) return connectSandbox({ url, controlUrl, token });
  throw new Error(`No sandbox runs for these tests. Set globalSetup in the configuration of your test runner, or ${ADDRESS}.`);
}

/**
 * Creates an account in the sandbox of this test run, as `createAccount` does. Call it once per test file, or once per test. After an hour, the sandbox
 * removes the account.
 * @throws Error if the test runner has not started a sandbox; SandboxError for an invalid description.
 * @example
 * const account = await testAccount({ name: 'Shop' });
 * const shop = new YourClient({ baseUrl: account.url, apiKey: account.apiKey });
 */
export function testAccount(description?: AccountDescription, options: AccountOptions = { ttl: '1h' }): Promise<Account> {
  return testSandbox().createAccount(description, options);
}
