import { expect, test } from 'vitest';
import { freshAccount } from './fresh-account.ts';

const { account } = await freshAccount();

test('a minute after too many requests, the service accepts requests again', async () => {
  await account.clock.freeze();
  const send = async () => (await account.fetch('/api/Company/Profile')).status;
  const statuses = await Promise.all(Array.from({ length: 201 }, send));
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  await account.clock.advance('PT60S');
  expect(await send()).toBe(200);
});
