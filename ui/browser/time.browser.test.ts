import { expect, test } from 'vitest';
import { expectAccessible, useDashboard, windows } from './fixture.ts';

const dashboard = useDashboard();

test.each(windows)('shows what falls due, and what an advance caused, at $width px, $scheme', async (window) => {
  const account = await dashboard.mock.createAccount({
    cards: [{ code: 'SOON', recipientEmailAddress: 'ann@example.com', expiresInDays: 3 }],
  });
  const page = await dashboard.open('time', window, account.id);
  await page.getByRole('link', { name: 'SOON' }).waitFor();
  await expectAccessible(page);

  await page.getByRole('button', { name: '+31 days' }).click();
  await page.getByRole('status').getByText('1 expiry').waitFor();
  await page.getByText('expiry of').waitFor();
  await page.getByText('Nothing falls due').waitFor();
  await expectAccessible(page);
  expect(await account.merchant.card('SOON')).toMatchObject({ giftCard: { status: 'Expired' } });
});

test('freezes the clock, and advances it to a date', async () => {
  const account = await dashboard.mock.createAccount();
  const page = await dashboard.open('time', {}, account.id);
  const controls = page.getByRole('region', { name: 'Clock' });
  await controls.getByRole('button', { name: 'Freeze' }).click();
  await expect.poll(() => controls.getByRole('button', { name: 'Freeze' }).getAttribute('aria-pressed')).toBe('true');
  await page.getByLabel('Advance to (UTC)').fill('2040-01-31T08:00');
  await controls.getByRole('button', { name: 'Advance to (UTC)' }).click();
  await page.getByRole('status').getByText('08:00:00 UTC').waitFor();
  expect(await account.clock.read()).toMatchObject({ mode: 'frozen', nowUtc: '2040-01-31T08:00:00.000Z' });

  await page.getByLabel('Advance to (UTC)').fill('2030-01-31T08:00');
  await controls.getByRole('button', { name: 'Advance to (UTC)' }).click();
  await page.getByRole('alert').getByText('2030-01-31').waitFor();
});
