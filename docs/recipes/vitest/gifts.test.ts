import { expect, test } from 'vitest';
import { sellCard } from '../shop/gift-cards.ts';
import { freshAccount } from './fresh-account.ts';

const { account, service } = await freshAccount();

test('a gift for tomorrow arrives tomorrow, and not before', async () => {
  const { nowUtc } = await account.clock.freeze();
  const tomorrow = new Date(Date.parse(nowUtc) + 86_400_000).toISOString();
  const card = await sellCard(service, {
    number: 'order-1',
    code: 'BIRTHDAY-1',
    amount: 50,
    fields: {
      ...{ shouldSendNotification: true, sendAsGift: true, giftScheduledForUtc: tomorrow },
      ...{
        recipientName: 'Robin',
        recipientEmailAddress: 'robin@example.com',
        buyerName: 'Alex',
        giftMessage: 'Happy birthday!',
      },
    },
  });
  expect(card.status).toBe('Active');
  await account.settled();
  expect(await account.outbox.list()).toEqual([]);

  const { events } = await account.clock.advance('P1D');
  expect(events).toMatchObject([{ what: 'gift', atUtc: tomorrow, giftCardId: card.id }]);
  const email = await account.outbox.waitFor({ to: 'robin@example.com' });
  expect(email).toMatchObject({ kind: 'gifted', sentAtUtc: tomorrow });
  expect(email.text).toContain('Happy birthday!');
});
