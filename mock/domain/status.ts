import type { Minor } from '../money.ts';

/** What an issued card shows while it is neither voided, expired nor waiting (gift-card.status.at-zero, gift-card.status.below-zero, gift-card.status.after-top-up). */
export function statusByBalance(balance: Minor): 'Active' | 'Redeemed' {
  return balance > 0 ? 'Active' : 'Redeemed';
}
