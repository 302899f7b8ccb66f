import type { Account } from 'giftcard-sandbox';
import { testAccount } from 'giftcard-sandbox/vitest/setup';
import type { Service } from '../shop/gift-cards.ts';

/** Creates an account for one test file. Returns the account, and the URL and key that the shop's client needs. */
export async function freshAccount(): Promise<{ account: Account; service: Service }> {
  const account = await testAccount({ name: 'A shop of this file' });
  return { account, service: { baseUrl: account.url, apiKey: account.apiKey } };
}
