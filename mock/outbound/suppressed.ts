import type { RuleName } from '../../openapi/generated/clauses.ts';
import type { Settings } from '../account/settings.ts';
import type { View } from '../state/view.ts';
import { Bounded } from './bounded.ts';
import type { Cause } from './cause.ts';
import { Waiters, type WaitResult } from './waiters.ts';

/** An effect that did not happen, and the clause that says so. */
export interface Suppressed {
  readonly what: string;
  readonly giftCardId: string;
  readonly clause: RuleName;
  readonly why: string;
  readonly cause: Cause;
}

/** The suppressed effects of an account. */
export class Suppressions {
  readonly #kept = new Bounded<Suppressed>(10_000, ({ why }) => why.length);
  readonly #waiters = new Waiters<Suppressed>();

  /** How many are no longer kept. */
  get dropped(): number {
    return this.#kept.dropped;
  }

  /** Oldest first. */
  all(): readonly Suppressed[] {
    return this.#kept.all();
  }

  add(suppressed: Suppressed): void {
    this.#kept.add(suppressed);
    this.#waiters.notify(suppressed);
  }

  /** Resolves as `Waiters.wait` does. */
  waitFor(matches: (suppressed: Suppressed) => boolean, milliseconds: number, count = 1): Promise<WaitResult<Suppressed>> {
    return this.#waiters.wait(this.all(), matches, count, milliseconds);
  }

  restore(kept: readonly Suppressed[], dropped: number): void {
    this.#kept.restore(kept, dropped);
  }

  stop(): void {
    this.#waiters.stop();
  }
}

/** Why a delivery has no receiver: no subscription, no webhook, or no enabled one; undefined if there is one. */
export function noReceiver({
  settings,
  state,
}: {
  readonly settings: Settings;
  readonly state: Pick<View, 'webhooks'>;
}): Pick<Suppressed, 'clause' | 'why'> | undefined {
  if (!settings.subscriptionActive)
    return { clause: 'delivery.only-while-subscribed', why: "the account's subscription is not active" };
  let disabled = 0;
  for (const { enabled } of state.webhooks()) {
    if (enabled) return undefined;
    disabled++;
  }
  if (disabled === 0) return { clause: 'delivery.one-per-webhook', why: 'the account has no webhook' };
  const which = disabled === 1 ? 'its only webhook' : `each of its ${disabled} webhooks`;
  return { clause: 'webhook.disabled-gets-no-deliveries', why: `${which} was disabled after too many failed deliveries` };
}
