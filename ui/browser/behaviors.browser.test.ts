import { expect, test } from 'vitest';
import { expectAccessible, useDashboard, windows } from './fixture.ts';

const dashboard = useDashboard();

test.each(windows)('chooses another option, and all defaults again, at $width px, $scheme', async (window) => {
  const account = await dashboard.mock.createAccount({ cards: [{ code: 'A' }, { code: 'B' }] });
  const page = await dashboard.open('behaviors?search=voiding', window, account.id);
  await page.getByRole('link', { name: 'gift-card.void.body' }).click();
  const detail = page.getByRole('complementary');
  await detail.getByLabel('Option').selectOption('true');
  await expectAccessible(page);
  await detail.getByRole('button', { name: 'Use' }).click();
  await detail.getByRole('status').waitFor();
  const voided = async (code: string) => (await account.fetch(`/api/GiftCard/VoidByCode/${code}`, { method: 'DELETE' })).json();
  expect(await voided('A')).toBe(true);

  await page.getByRole('button', { name: 'Close' }).first().click();
  await page.getByRole('button', { name: 'differs from default' }).click();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  await page.getByRole('button', { name: 'Use all defaults' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Use defaults' }).click();
  await page.getByRole('status').getByText('standard contract').waitFor();
  expect(await voided('B')).toMatchObject({ code: 'B', status: 'Voided' });
  await expectAccessible(page);
});

test('shows the overrides of the contract', async () => {
  const account = await dashboard.mock.createAccount();
  await account.behaviors.change({ overrides: [{ rename: 'GiftCard.notes', to: 'remarks' }] });
  const page = await dashboard.open('behaviors', {}, account.id);
  await page.getByText('Overrides of the contract (1)').click();
  await page.getByText('"remarks"').waitFor();
});
