import { effect, signal } from '@preact/signals';
import type { AccountDetails, ClockReading } from '../../mock/control/generated/types.ts';
import { now, pageFormats } from '../components/formats.ts';
import { route } from './router.ts';

/** The accounts of the sandbox; undefined until they are loaded. */
export const accounts = signal<readonly AccountDetails[]>();

/** The clock of the selected account, and the system's time at which the page received it. */
export const clock = signal<ClockReading & { readonly receivedAt: number }>();

/** Returns the selected account; undefined until the accounts are loaded, and after it was removed. */
export function selectedAccount(): AccountDetails | undefined {
  return accounts.value?.find(({ id }) => id === route.value.account);
}

effect(() => {
  const account = selectedAccount();
  if (account) pageFormats.value = { locale: account.locale, timeZone: account.timeZone, currency: account.currency };
});

function tick(): void {
  if (!clock.value) return;
  const { nowUtc, mode, receivedAt } = clock.value;
  now.value = Date.parse(nowUtc) + (mode === 'frozen' ? 0 : Date.now() - receivedAt);
}

effect(tick);
setInterval(tick, 1000);
