import { expect, test } from 'vitest';
import { findCard, redeem, sellCard } from '../shop/gift-cards.ts';
import { freshAccount } from './fresh-account.ts';

const { account, service } = await freshAccount();

test('a snapshot restores an account that a test has changed', async () => {
  const card = await sellCard(service, { number: 'order-1', code: 'KEPT-1', amount: 40 });
  const snapshot = await account.snapshot();

  await redeem(service, card, 40, 'payment-1');
  await account.fetch('/api/GiftCard/VoidByCode/KEPT-1', { method: 'DELETE' });
  expect(await findCard(service, 'KEPT-1')).toMatchObject({ status: 'Voided', balance: 0 });

  await account.restore(snapshot);
  expect(await findCard(service, 'KEPT-1')).toMatchObject({ status: 'Active', balance: 40 });
  await redeem(service, card, 15, 'payment-1'); // the unique value can be used again, too
  expect(await findCard(service, 'KEPT-1')).toMatchObject({ balance: 25 });
});
