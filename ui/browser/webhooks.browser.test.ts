import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectAccessible, useDashboard, windows } from './fixture.ts';

const dashboard = useDashboard();

let status = 204;
const receiver = createServer((_, response) => response.writeHead(status).end());
beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve)));
beforeEach(() => {
  status = 204;
});
afterAll(() => receiver.close());
const url = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${path}`;

const newAccount = () => dashboard.mock.createAccount({ cards: [{ code: 'CARD-1' }] });

test.each(windows)('registers a webhook, fires a topic, resends and deletes, at $width px, $scheme', async (window) => {
  const account = await newAccount();
  const page = await dashboard.open('webhooks', window, account.id);
  await page.getByText('no webhook').waitFor();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Register' }).click();
  const detail = page.getByRole('complementary');
  await detail.getByLabel('URL').fill(url('hooks'));
  await detail.getByLabel('Token').fill('not-a-real-token');
  await expectAccessible(page);
  await detail.getByRole('button', { name: 'Register' }).click();
  const registrations = page.getByRole('region', { name: 'Registrations' });
  await registrations.getByText('signed, 6 of 6 failures left').waitFor();

  await page.getByRole('button', { name: 'Fire a topic' }).click();
  await detail.getByLabel('Topic').selectOption('giftcard/reminder');
  await detail.getByRole('combobox', { name: 'Card' }).fill('CARD-1');
  await detail.getByText('One webhook gets').waitFor();
  await detail.getByRole('button', { name: 'Fire' }).click();
  await detail.getByRole('heading', { name: 'giftcard/reminder delivered' }).waitFor();
  await detail
    .getByText(/^[\w+/]{43}=$/)
    .first()
    .waitFor();
  await expectAccessible(page);

  await detail.getByRole('button', { name: 'Resend' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
  await detail.getByRole('status').getByText('204').waitFor();
  expect(await account.deliveries.list()).toMatchObject([{ attempts: [{ kind: 'delivery' }, { kind: 'resend' }] }]);

  await detail.getByRole('button', { name: 'Close' }).first().click();
  await registrations.getByRole('button', { name: 'Delete' }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('no webhook').waitFor();
  expect((await account.describe()).webhooks).toEqual([]);
});

test('a webhook that failed six times is disabled, and its failures are listed', async () => {
  const account = await newAccount();
  await account.fetch('/api/Webhook/Create', { method: 'POST', body: JSON.stringify({ url: url('broken') }) });
  status = 500;
  const page = await dashboard.open('webhooks?only=failed', {}, account.id);
  for (let failure = 1; failure <= 6; failure++) {
    await account.deliveries.fire({ topic: 'giftcard/updated', card: 'CARD-1' });
    await account.settled();
  }
  await page.getByText('disabled', { exact: true }).waitFor();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(6);
  await page.getByRole('link', { name: 'giftcard/updated' }).first().click();
  await page.getByRole('complementary').getByText('6 of 6 lifetime failures', { exact: true }).waitFor();
  await page.getByRole('complementary').getByText('fire').first().waitFor();
});

test('the sentences of the service and of the control API are in the forms', async () => {
  const account = await newAccount();
  const page = await dashboard.open('webhooks?selected=new', {}, account.id);
  await page.getByRole('textbox', { name: 'URL' }).fill('http://elsewhere.example/');
  await page.getByRole('complementary').getByRole('button', { name: 'Register' }).click();
  await page.getByRole('alert').getByText('https').waitFor();
  await page.getByRole('button', { name: 'Fire a topic' }).click();
  await page.getByRole('combobox', { name: 'Card' }).fill('CARD-1');
  await page.getByRole('complementary').getByRole('button', { name: 'Fire' }).click();
  await page.getByRole('alert').getByText('POST /api/Webhook/Create').waitFor();
  expect(await page.getByRole('combobox', { name: 'Card' }).inputValue()).toBe('CARD-1');
});

test('a delivery that was not sent has the reason', async () => {
  const account = await newAccount();
  await account.merchant.voidCard('CARD-1');
  const page = await dashboard.open('webhooks?only=not+sent', { width: 390 }, account.id);
  await page.getByRole('link', { name: 'giftcard/voided' }).click();
  const detail = page.getByRole('complementary');
  await detail.getByText('the account has no webhook', { exact: true }).waitFor();
  await detail.getByText('Active → Voided').waitFor();
  await expectAccessible(page);
});

test('the list has the last 100 deliveries, more at the press of a button, and any delivery that a link selects', async () => {
  const account = await newAccount();
  await account.fetch('/api/Webhook/Create', { method: 'POST', body: JSON.stringify({ url: url('hooks') }) });
  const fire = () => account.deliveries.fire({ topic: 'giftcard/updated', card: 'CARD-1' });
  await Promise.all(Array.from({ length: 101 }, fire));
  await account.settled();
  const page = await dashboard.open('webhooks', {}, account.id);
  await expect.poll(() => page.locator('tbody tr').count()).toBe(100);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(101);

  const [oldest] = await account.deliveries.list();
  const linked = await dashboard.open(`webhooks?selected=${oldest?.requestId}`, {}, account.id);
  await linked
    .getByRole('complementary')
    .getByText(oldest?.requestId ?? 'none', { exact: true })
    .waitFor();
});
