import { expect, test } from 'vitest';
import { expectAccessible, useDashboard, windows } from './fixture.ts';

const dashboard = useDashboard();

test.each(windows)('sets a fault, shows its verdict and removes it, at $width px, $scheme', async (window) => {
  const account = await dashboard.mock.createAccount();
  const create = () => account.fetch('/api/GiftCard/Create', { method: 'POST', body: '{"balance":5,"uniqueId":"order-1"}' });
  const page = await dashboard.open('faults', window, account.id);
  await page.getByText('This account has no faults').waitFor();
  await page.getByRole('button', { name: 'Set a fault' }).click();
  const detail = page.getByRole('complementary');
  await detail.getByLabel('When').selectOption('after');
  await detail.getByLabel('Operation').selectOption('createGiftCard');
  await expectAccessible(page);
  await detail.getByRole('button', { name: 'Set', exact: true }).click();
  await detail.getByText('0 of 0').waitFor();

  expect((await create()).status).toBe(503);
  await detail.getByText('waiting').first().waitFor();
  expect((await create()).status).toBe(400);
  await detail.getByText('passed').first().waitFor();
  await detail.getByText('order-1').first().waitFor();
  await expectAccessible(page);

  await detail.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('This account has no faults').waitFor();
  expect(await account.faults.list()).toEqual([]);
});

test('a fault of deliveries has a topic; all faults are removed after a confirmation', async () => {
  const account = await dashboard.mock.createAccount();
  const page = await dashboard.open('faults?selected=new', {}, account.id);
  const detail = page.getByRole('complementary');
  await detail.getByLabel('Fault').selectOption('Slow delivery');
  await detail.getByLabel('Topic').selectOption('giftcard/voided');
  await detail.getByLabel('first: only the first matches').fill('');
  await detail.getByLabel('nth: only the match with this number').fill('2');
  await detail.getByRole('button', { name: 'Set', exact: true }).click();
  await detail.getByText('3000 ms', { exact: true }).waitFor();
  expect(await account.faults.list()).toMatchObject([
    { fault: 'delay', on: 'delivery', topic: 'giftcard/voided', milliseconds: 3000, nth: 2 },
  ]);
  await page.getByRole('button', { name: 'Remove all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove all' }).click();
  await page.getByText('This account has no faults').waitFor();
});
