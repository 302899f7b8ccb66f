import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startMock } from '../../index.ts';
import { startForRun, stopForRun, testAccount, testSandbox } from './run-sandbox.ts';

const { env } = process;
beforeEach(() => {
  // The recipes may run at the same time, and their sandbox is in the environment of all tests.
  for (const name of ['URL', 'CONTROL_URL', 'CONTROL_TOKEN']) vi.stubEnv(`GIFTCARD_SANDBOX_${name}`, undefined);
});
afterEach(async () => {
  await stopForRun();
  vi.unstubAllEnvs();
});

test('a run starts one sandbox, and afterwards its address is gone', async () => {
  await startForRun({ controlPort: 0 });
  await startForRun();
  const account = await testAccount({ name: 'Shop' });
  expect([account.url, testSandbox().url]).toEqual([env.GIFTCARD_SANDBOX_URL, env.GIFTCARD_SANDBOX_URL]);
  const goneAt = Date.parse((await account.describe()).goneAtUtc ?? '');
  expect(Math.abs(goneAt - Date.now() - 3_600_000)).toBeLessThan(60_000);
  await stopForRun();
  expect(() => testSandbox()).toThrow(/globalSetup/);
});

test('a run uses the sandbox that GIFTCARD_SANDBOX_URL names, and does not stop it', async () => {
  await using mock = await startMock();
  env.GIFTCARD_SANDBOX_URL = mock.url;
  await startForRun();
  const { id } = await testAccount();
  expect(mock.accounts.map((account) => account.id)).toContain(id);
  await stopForRun();
  expect(await testSandbox().health()).toMatchObject({ status: 'ok' });
});
