import { test } from 'vitest';
import { expectAccessible, useDashboard, windows } from './fixture.ts';

const dashboard = useDashboard();

test.each(windows)('shows health, and advice when a request gives a reason, at $width px, $scheme', async (window) => {
  const account = await dashboard.mock.createAccount();
  const page = await dashboard.open('advice', window, account.id);
  await page.getByText('No advice').waitFor();
  await page.getByRole('region', { name: 'Health' }).getByText('ok', { exact: true }).waitFor();
  await account.fetch('/api/GiftCard/Create', { method: 'POST', body: '{"balance":5}' });
  await page.getByRole('link', { name: 'create-without-unique-id' }).click();
  const detail = page.getByRole('complementary');
  await detail.getByText('without a uniqueId').waitFor();
  await expectAccessible(page);
  await detail.getByRole('link', { name: 'idempotency.create.unique-id-optional' }).click();
  await page.getByRole('link', { name: 'POST GiftCard/Create' }).waitFor();
});
