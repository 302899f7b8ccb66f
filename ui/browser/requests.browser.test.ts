import { expect, test } from 'vitest';
import { expectAccessible, useDashboard, windows } from './fixture.ts';

const dashboard = useDashboard();
const create = (code: string, more = {}) => dashboard.request('POST', '/api/GiftCard/Create', { balance: 5, code, ...more });

test.each(windows)('lists requests as they arrive, and shows a refused one, at $width px, $scheme', async (window) => {
  const code = `REFUSED-${window.width}-${window.scheme}`;
  const page = await dashboard.open('requests', window);
  await (await dashboard.mock.getAccount('main')).fetch(`/api/GiftCard/GetByCode/${code}`);
  await page.getByRole('link', { name: code }).waitFor();
  await expectAccessible(page);

  await page.getByRole('searchbox').fill(code);
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  await page.getByRole('button', { name: '404' }).click();
  await page.getByRole('link', { name: code }).click();
  const detail = page.getByRole('complementary');
  await detail.getByText('gift-card.not-found', { exact: true }).waitFor();
  await expectAccessible(page);
  expect(page.url()).toMatch(/search=REFUSED-.*&only=404&selected=\d+$/);

  await detail.getByRole('link', { name: 'authentication.foreign-record-is-404' }).click();
  await expect.poll(() => page.title()).toContain('Reference');
});

test.each(windows.slice(1, 3))('says what a replay repeats, and shows the new response, at $width px', async (window) => {
  const code = `REPLAY-${window.width}`;
  await create(code, { recipientEmailAddress: 'ann@example.com', shouldSendNotification: true });
  const page = await dashboard.open(`requests?search=${code}`, window);
  await page.getByRole('link', { name: 'POST GiftCard/Create' }).click();
  const detail = page.getByRole('complementary');
  await detail.getByText('gift-card to ann@example.com').waitFor();
  await expectAccessible(page);

  await detail.getByRole('button', { name: 'Replay' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('gift-card to ann@example.com').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await detail.getByRole('button', { name: 'Replay' }).click();
  await dialog.getByRole('button', { name: 'Replay' }).click();
  await detail.getByText('The service returned 400').waitFor();
  const { entries } = await dashboard.mock.journal.list({ operation: 'createGiftCard' });
  const sent = entries.filter(({ request }) => request?.body?.includes(code));
  expect(sent.map(({ response }) => response?.status)).toEqual([200, 400]);
});

test('a request without a valid key is listed apart, and its replay uses the key of the account', async () => {
  await fetch(`${dashboard.mock.url}/api/Company/Profile`, { headers: { 'x-api-key': 'mistyped' } });
  const page = await dashboard.open('requests');
  await page.getByRole('button', { name: 'no valid key' }).click();
  await page.getByRole('link', { name: 'GET Company/Profile' }).first().click();
  const detail = page.getByRole('complementary');
  await detail.getByText('auth.key-unknown').waitFor();
  await detail.getByRole('button', { name: 'Replay' }).click();
  await detail.getByText('The service returned 200').waitFor();
});

test('copies a line of curl with the address and the key of the sandbox', async () => {
  await create('CURL-1');
  const page = await dashboard.open('requests?search=CURL-1');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('link', { name: 'POST GiftCard/Create' }).click();
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  expect(line).toContain(`"${dashboard.mock.url}/api/GiftCard/Create"`);
  expect(line).toContain(`x-api-key: ${dashboard.mock.apiKey}`);
});

test('due events and actions of the merchant are entries, with their effects and their cards', async () => {
  const account = await dashboard.mock.createAccount({ cards: [{ code: 'DUE', expiresInDays: 1 }, { code: 'ACTED' }] });
  const page = await dashboard.open('requests', {}, account.id);
  await page.getByText('curl').waitFor();
  await expectAccessible(page);
  await account.merchant.voidCard('ACTED');
  await account.clock.advance('P2D');
  await page.getByRole('button', { name: 'clock' }).click();
  await page.getByRole('link', { name: 'expiry' }).click();
  const detail = page.getByRole('complementary');
  await detail.getByText('Active → Expired').waitFor();
  await page.getByRole('button', { name: 'merchant' }).click();
  await page.getByRole('link', { name: 'voidCard' }).click();
  await detail.getByText('Active → Voided').waitFor();
  await detail.getByRole('link', { name: /^[\w-]{36}$/ }).click();
  await page.getByRole('heading', { name: 'ACTED' }).waitFor();
});

test('an entry that the journal does not have is named', async () => {
  const page = await dashboard.open('requests?selected=999999');
  await page.getByRole('alert').getByText('no entry 999999').waitFor();
});
