import { expect, test } from 'vitest';
import { sellCard } from '../shop/gift-cards.ts';
import { freshAccount } from './fresh-account.ts';

const { account, service } = await freshAccount();

test('a lost response does not lead to a second card', async () => {
  // The mock creates the card, and then closes the connection without a response.
  await account.faults.set({ fault: 'reset', operation: 'createGiftCard', when: 'after', first: 1 });
  const card = await sellCard(service, { number: 'order-7', code: 'ORDER-7', amount: 30 });
  expect(card).toMatchObject({ code: 'ORDER-7', balance: 30 });
  const [fault] = await account.faults.clear();
  expect(fault).toMatchObject({ hits: 1, verdict: 'passed' });
});
