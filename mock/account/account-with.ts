import type { Account } from './account.ts';

/** The parts of an account that a function needs: `AccountWith<'id' | 'clock'>`. */
export type AccountWith<Part extends keyof Account> = Pick<Account, Part>;
