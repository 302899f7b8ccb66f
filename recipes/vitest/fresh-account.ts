import type { Account } from 'giftcard-sandbox';
import { connectSandbox } from 'giftcard-sandbox/control';
import { inject } from 'vitest';
import type { Service } from '../shop/gift-cards.ts';

/** Creates an account for one test file. Returns the account, and the URL and key that the shop's client needs. */
export async function freshAccount(): Promise<{ account: Account; service: Service }> {
  const url = inject('sandboxUrl');
  const account = await connectSandbox({ url }).createAccount({ name: 'A shop of this file' });
  return { account, service: { baseUrl: url, apiKey: account.apiKey } };
}
