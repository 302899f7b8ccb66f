import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Account } from '../account/account.ts';
import { toAmount } from '../domain/money.ts';
import type { Cause } from '../outbound/cause.ts';
import { hiddenInAddress } from './redaction/hide-in-address.ts';

/** An effect with what has become of it by now. */
export interface EffectView {
  readonly kind: 'push' | 'email' | 'delivery' | 'suppressed';
  readonly giftCardId: string;
  /** What left, or did not: "to Web shop: 20 USD", "gifted to ada@example.com", "giftcard/voided to https://…". */
  readonly what: string;
  /** "synced", "sent", "delivered: 200", "not sent: the adjustment came through the API". */
  readonly outcome: string;
  /** Why it did not leave; null for everything else. */
  readonly clause: ClauseName | null;
}

/** Effects by what they came from. */
export type EffectsByCause = ReadonlyMap<number, { readonly cause: Cause; readonly effects: readonly EffectView[] }>;

/** Everything that the account still knows to have been caused, in the order in which it leaves: channels, emails, deliveries, and last what did not leave. */
export function effectsOf(account: Account): EffectsByCause {
  const byCause = new Map<number, { cause: Cause; effects: EffectView[] }>();
  const add = (cause: Cause, effect: EffectView) => {
    const known = byCause.get(cause.id);
    if (known) known.effects.push(effect);
    else byCause.set(cause.id, { cause, effects: [effect] });
  };
  const nameOf = (id: string) => account.settings.channels.find((channel) => channel.id === id)?.name ?? id;
  for (const { cause, giftCardId, currency, listings } of account.journal.pushes()) {
    for (const { channelId, balance, state, error } of listings) {
      const what = `to ${nameOf(channelId)}: ${toAmount(balance, currency)} ${currency}`;
      add(cause, { kind: 'push', giftCardId, what, outcome: error === null ? state : `${state}: ${error}`, clause: null });
    }
  }
  for (const { cause, giftCardId, kind, to } of account.outbox.emails())
    add(cause, { kind: 'email', giftCardId, what: `${kind} to ${to}`, outcome: 'sent', clause: null });
  for (const { cause, giftCardId, topic, url, state, result, failures } of account.deliveries.all()) {
    const answer = result && Object.values(result)[0];
    const outcome = `${state}${answer === undefined ? '' : `: ${answer}`}${state === 'failed' ? ` (${failures})` : ''}`;
    add(cause, { kind: 'delivery', giftCardId, what: `${topic} to ${hiddenInAddress(url)}`, outcome, clause: null });
  }
  for (const { cause, giftCardId, what, why, clause } of account.effects.suppressed.all())
    add(cause, { kind: 'suppressed', giftCardId, what, outcome: `not sent: ${why}`, clause });
  return byCause;
}
