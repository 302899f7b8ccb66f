import type { Account } from 'giftcard-sandbox';
import { connectSandbox } from 'giftcard-sandbox/control';
import { inject } from 'vitest';
import type { Service } from '../shop/gift-cards.ts';

/** A plain account of its own for the test file that asks, and what the shop's client needs to use it. */
export async function freshAccount(): Promise<{ account: Account; service: Service }> {
  const url = inject('sandboxUrl');
  const account = await connectSandbox({ url }).account({ name: 'A shop of this file' });
  return { account, service: { baseUrl: url, apiKey: account.apiKey } };
}
