import type { Account } from 'giftcard-sandbox';
import { expect, test } from 'vitest';
import { sellCard } from '../shop/gift-cards.ts';
import { startReceiver } from '../shop/receiver.ts';
import { freshAccount } from './fresh-account.ts';

const TOKEN = 'a secret of both';

function register(account: Account, url: string) {
  const body = JSON.stringify({ url, requestHeaderVerificationToken: TOKEN });
  return account.fetch('/api/Webhook/Create', { method: 'POST', body });
}

function voidCard(account: Account, code: string) {
  return account.fetch(`/api/GiftCard/VoidByCode/${code}`, { method: 'DELETE' });
}

test('a void is delivered, signed over the raw bytes', async () => {
  const { account, service } = await freshAccount();
  await using receiver = await startReceiver(TOKEN);
  await register(account, receiver.url);
  const card = await sellCard(service, { number: 'order-1', code: 'SIGNED-1', amount: 20 });
  await voidCard(account, card.code);
  const delivery = await account.deliveries.waitFor({ topic: 'giftcard/voided', card: card.code, state: 'delivered' });
  expect(delivery).toMatchObject({ signed: true, result: { status: 204 } });
  expect(receiver.believed).toMatchObject([{ WebhookTopic: 'giftcard/voided', Code: 'SIGNED-1' }]);
});

test('the receiver accepts a duplicate once and rejects a wrong signature', async () => {
  const { account, service } = await freshAccount();
  await using receiver = await startReceiver(TOKEN);
  await register(account, receiver.url);
  await account.faults.set({ fault: 'duplicate', first: 1 });
  await account.faults.set({ fault: 'wrong-signature', first: 1 });
  for (const code of ['TWICE-1', 'FORGED-1']) {
    await sellCard(service, { number: code, code, amount: 20 });
    await voidCard(account, code);
  }
  await account.settled();
  expect(await account.faults.list()).toMatchObject([{ verdict: 'passed' }, { verdict: 'passed' }]);
  expect(receiver.believed).toHaveLength(2);
});

test('a receiver that fails six times gets no more deliveries', async () => {
  const { account, service } = await freshAccount();
  await using receiver = await startReceiver(TOKEN, true);
  await register(account, receiver.url);
  for (let failure = 1; failure <= 7; failure++) {
    const code = `FAILING-${failure}`;
    await sellCard(service, { number: code, code, amount: 5 });
    await voidCard(account, code);
  }
  await account.settled();
  const failed = await account.deliveries.list({ state: 'failed' });
  expect(failed).toHaveLength(6);
  expect(failed.at(-1)).toMatchObject({ failures: '6 of 6 lifetime failures' });
  expect(await (await account.fetch('/api/Webhook/List')).json()).toEqual([]);
});
