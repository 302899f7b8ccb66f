import { expect, test } from 'vitest';
import { expectAccessible, useDashboard, windows } from './fixture.ts';

const dashboard = useDashboard();

test.each(windows)('describes an operation and sends a request, at $width px, $scheme', async (window) => {
  const page = await dashboard.open('reference?search=sendAsGift', window);
  await page.getByRole('link', { name: 'POST GiftCard/Create' }).click();
  const detail = page.getByRole('complementary');
  await detail.getByText('recipientEmailAddress', { exact: true }).first().waitFor();
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
  await detail.getByRole('button', { name: 'Copy as curl' }).waitFor();
});

test.each(windows)('shows examples and nested properties, at $width px, $scheme', async (window) => {
  const page = await dashboard.open('reference?selected=addAccount', window);
  const detail = page.getByRole('complementary');
  await detail.getByText('cards[].code', { exact: true }).waitFor();
  await detail.getByText('Example: described').click();
  await detail.getByText('"shop"').waitFor();
  await expectAccessible(page);
  expect(await detail.getByText('Try', { exact: true }).count()).toBe(0);
});

test('shows the refusals of an operation as the service sends them', async () => {
  const page = await dashboard.open('reference?selected=createGiftCard');
  const detail = page.getByRole('complementary');
  await detail.getByText('Example: Repeated code').click();
  await detail.getByText('A gift card with this code already exists.').waitFor();
});

test('lists operations of the service, deliveries, and operations of the control API', async () => {
  const page = await dashboard.open('reference');
  await page.getByRole('link', { name: 'GET Webhook/List' }).waitFor();
  const choose = (name: RegExp) => page.getByRole('button', { name }).click();
  await choose(/^Service/);
  expect(await page.locator('tbody tr').count()).toBe(23);
  await choose(/^Deliveries/);
  expect(await page.locator('tbody tr').count()).toBe(5);
  await page.getByRole('link', { name: 'POST giftcard/voided' }).click();
  await page.getByText('FormattedBalance', { exact: true }).waitFor();
  await choose(/^Control API/);
  await page.getByRole('link', { name: 'POST accounts/{account}/clock/advance' }).click();
  await page.getByText('fromUtc', { exact: true }).waitFor();
});

test('the banner leads to the reference of the first account', async () => {
  const page = await dashboard.open('reference', {}, '');
  await page.getByRole('link', { name: 'GET Webhook/List' }).waitFor();
  expect(page.url()).toMatch(/#\/main\/reference$/);
});
