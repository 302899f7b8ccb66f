import { expect, test } from 'vitest';
import { expectAccessible, useDashboard, windows } from './fixture.ts';

const dashboard = useDashboard();

test.each(windows)('describes an operation and sends a request, at $width px, $scheme', async (window) => {
  const page = await dashboard.open('reference?search=sendAsGift', window);
  await page.getByRole('link', { name: 'POST GiftCard/Create' }).click();
  const detail = page.getByRole('complementary');
  await detail.getByRole('rowheader', { name: 'recipientEmailAddress' }).first().waitFor();
  await detail.getByText(/^Rules \(\d+ of \d+\)$/).waitFor();
  await expectAccessible(page);

  await detail.getByText('Try', { exact: true }).click();
  const code = `TRY-${window.width}-${window.scheme}`;
  await detail.getByLabel('Body').fill(JSON.stringify({ balance: 12, code }));
  await detail.getByRole('button', { name: 'Send POST' }).click();
  await detail.locator('.exchange').getByText('200').waitFor();
  await expectAccessible(page);
  expect(await dashboard.request('GET', `/api/GiftCard/GetByCode/${code}`)).toMatchObject({ balance: 12 });
});

test('sends path and query parameters, and shows a refusal', async () => {
  const page = await dashboard.open('reference?selected=getGiftCardByCode');
  const detail = page.getByRole('complementary');
  await detail.getByLabel('code').fill('NONE/1 ');
  await detail.getByRole('button', { name: 'Send GET' }).click();
  await detail.locator('.exchange').getByText('404').waitFor();
  await detail.getByText('/api/GiftCard/GetByCode/NONE%2F1%20').waitFor();
});

test('every operation of the contract is listed', async () => {
  const page = await dashboard.open('reference');
  await page.getByRole('link', { name: 'GET Webhook/List' }).waitFor();
  expect(await page.locator('tbody tr').count()).toBe(23);
});
