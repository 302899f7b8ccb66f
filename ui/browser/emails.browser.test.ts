import { expect, test } from 'vitest';
import { expectAccessible, useDashboard, windows } from './fixture.ts';

const dashboard = useDashboard();

test.each(windows)('shows an email as its recipient sees it, as text, and its cause, at $width px, $scheme', async (window) => {
  const account = await dashboard.mock.createAccount();
  const page = await dashboard.open('emails', window, account.id);
  await page.getByText('curl').waitFor();
  await account.merchant.addCard({
    code: 'MAILED',
    balance: 25,
    recipientName: '<b>Ann</b>',
    recipientEmailAddress: 'ann@example.com',
    shouldSendNotification: true,
  });
  await page.getByRole('link', { name: 'ann@example.com' }).click();
  const detail = page.getByRole('complementary');
  await detail.frameLocator('iframe').getByText('Hello <b>Ann</b>').waitFor();
  expect(await detail.locator('iframe').getAttribute('sandbox')).toBe('');
  await detail.getByText('cards: added').waitFor();
  await expectAccessible(page);
  expect(await detail.getByRole('link', { name: 'http' }).getAttribute('href')).toContain('/card/');

  await detail.getByRole('link', { name: 'Text' }).click();
  await detail.getByText('Code: MAILED').waitFor();
  await expectAccessible(page);
  await detail.getByRole('link', { name: 'MAILED' }).click();
  await page.getByRole('heading', { name: 'MAILED' }).waitFor();
});

test.each(windows.slice(1, 3))('finds emails by kind and text; what was not sent has its rule, at $width px', async (window) => {
  const account = await dashboard.mock.createAccount({
    cards: ['ann', 'ben'].map((name) => ({ code: name.toUpperCase(), recipientEmailAddress: `${name}@example.com` })),
  });
  await account.merchant.remind('ANN');
  await account.merchant.remind('BEN');
  await account.merchant.voidCard('BEN');
  const page = await dashboard.open('emails?only=reminder', window, account.id);
  await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
  await page.getByRole('searchbox').fill('ben@');
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'not sent' }).click();
  await page.getByRole('link', { name: 'BEN' }).click();
  const detail = page.getByRole('complementary');
  await detail.getByText('Active → Voided').waitFor();
  await expectAccessible(page);
  const [suppressed] = await account.suppressed.list({ what: 'email' });
  await detail.getByRole('link', { name: suppressed?.rule ?? 'none' }).click();
  await expect.poll(() => page.title()).toContain('Reference');
});
