import { expect, test } from 'vitest';
import { findCard, redeem, ServiceError, sellCard } from '../shop/gift-cards.ts';
import { freshAccount } from './fresh-account.ts';

const { account, service } = await freshAccount();

test('a hundred parallel payments are exact to the cent', async () => {
  const card = await sellCard(service, { number: 'order-1', code: 'SHARED-1', amount: 100 });
  await Promise.all(Array.from({ length: 100 }, (_, till) => redeem(service, card, 0.1, `till-${till}`)));
  expect(await findCard(service, 'SHARED-1')).toMatchObject({ balance: 90 });
});

test('a payment larger than the balance is rejected and changes nothing', async () => {
  const card = await sellCard(service, { number: 'order-2', code: 'SMALL-1', amount: 10 });
  await expect(redeem(service, card, 10.01, 'payment-1')).rejects.toThrow(ServiceError);
  expect(await findCard(service, 'SMALL-1')).toMatchObject({ balance: 10 });
});

test('a voucher cannot be redeemed in parts', async () => {
  await account.merchant.addCard({ code: 'LUNCH-1', kind: 'voucher', balance: 12 });
  await expect(redeem(service, await findCard(service, 'LUNCH-1'), 5, 'payment-2')).rejects.toMatchObject({ status: 400 });
  await account.merchant.redeemVoucher('LUNCH-1');
  expect(await findCard(service, 'LUNCH-1')).toMatchObject({ balance: 0, status: 'Redeemed' });
});
