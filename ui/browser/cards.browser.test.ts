import { describe, expect, test } from 'vitest';
import { expectAccessible, useDashboard, windows } from './fixture.ts';

const dashboard = useDashboard();

describe('the view Cards', () => {
  test.each(windows)('lists, finds and shows cards at $width px, $scheme, without violations', async (window) => {
    const page = await dashboard.open('cards', window);
    await page.getByRole('link', { name: 'ACTIVE-0001' }).waitFor();
    await expectAccessible(page);

    await page.getByRole('searchbox').fill('paul.partly');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('link', { name: 'PARTLY-USED-0001' }).click();
    await page.getByText('$74.50').last().waitFor();
    await page.getByText('Created', { exact: true }).first().waitFor();
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Adjustments' }).click();
    await page.getByText('Order 1001').waitFor();
    await expectAccessible(page);
  });

  test('the address has filter and selected card; Back closes the detail', async () => {
    const page = await dashboard.open('cards?only=Voided');
    await page.getByRole('link', { name: 'VOIDED-0001' }).click();
    await page.getByRole('complementary').waitFor();
    expect(page.url()).toMatch(/only=Voided&selected=[\w-]{36}$/);
    await page.goBack();
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    expect(await page.locator('tbody tr').count()).toBe(1);
  });

  test.each(windows.slice(1, 3))('creates, adjusts and voids a card at $width px', async (window) => {
    const code = `NEW-${window.width}`;
    const page = await dashboard.open('cards?only=Voided&search=VOIDED', window);
    await page.getByRole('button', { name: 'Create card' }).click();
    const detail = page.getByRole('complementary');
    await detail.getByLabel('Initial value').fill('30');
    await detail.getByLabel('Code').fill(code);
    await detail.getByLabel('email address').fill('ann@example.com');
    await detail.getByRole('button', { name: 'Create', exact: true }).click();
    await detail.getByRole('heading', { name: code }).waitFor();

    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.tagName);
    await detail.getByRole('button', { name: 'Adjust' }).click();
    await expect.poll(focused).toBe('amount');
    await page.keyboard.press('Escape'); // closes the form, not the card
    await expect.poll(focused).toBe('ASIDE');
    await detail.getByRole('button', { name: 'Adjust' }).click();
    await detail.getByLabel('Amount').fill('-12.50');
    await expectAccessible(page);
    await detail.locator('form').getByRole('button', { name: 'Adjust' }).click();
    await detail.getByRole('status').getByText('balance 30 → 17.5 USD').waitFor();
    await detail.getByRole('status').getByText('balance-change to ann@example.com').waitFor();

    await detail.getByRole('button', { name: 'Void' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('$17.50 becomes $0.00').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Void' }).click();
    await detail.getByRole('heading', { name: 'Voided' }).waitFor();
    await detail.getByRole('status').getByText('balance 17.5 → 0 USD').waitFor();
    expect(await dashboard.request('GET', `/api/GiftCard/GetByCode/${code}`)).toMatchObject({ status: 'Voided', balance: 0 });
  });

  test('shows the sentence of the control API for a refused action, and keeps the form', async () => {
    const page = await dashboard.open('cards?search=GIFTED-0001');
    await page.getByRole('link', { name: 'GIFTED-0001' }).click();
    const detail = page.getByRole('complementary');
    await detail.getByRole('button', { name: 'Pay' }).click();
    await detail.getByLabel('Amount').fill('1000');
    await detail.locator('form').getByRole('button', { name: 'Pay' }).click();
    await detail.getByRole('alert').getByText('less than the payment').waitFor();
    expect(await detail.getByLabel('Amount').inputValue()).toBe('1000');
  });

  test.each([
    ['VOUCHER-0001', 'Redeem', 'balance 20 → 0 USD'],
    ['PARTLY-USED-0001', 'Remind', 'reminder to paul.partly@example.com'],
    ['BATCH-0001', 'Delete', 'deleted'],
  ])('%s: %s', async (code, action, caused) => {
    const page = await dashboard.open(`cards?search=${code}`);
    await page.getByRole('link', { name: code }).click();
    const detail = page.getByRole('complementary');
    await detail.getByRole('button', { name: action }).click();
    const confirm = page.locator('form, dialog').getByRole('button', { name: action });
    await confirm.click();
    await detail.getByRole('status').getByText(caused).first().waitFor();
  });
});
