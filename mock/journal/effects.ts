import type { RuleName } from '../../openapi/generated/clauses.ts';
import type { Settings } from '../account/settings.ts';
import { toAmount } from '../domain/money.ts';
import type { Cause } from '../outbound/cause.ts';
import type { Delivery } from '../outbound/delivery.ts';
import type { Pushed } from '../outbound/effect-queue.ts';
import type { Email } from '../outbound/outbox.ts';
import type { Suppressed } from '../outbound/suppressed.ts';
import { redactUrls } from './redaction.ts';

interface Log<T> {
  all(): readonly T[];
}

/** The parts of an account that keep its effects. */
export interface EffectRecords {
  readonly settings: Settings;
  readonly outbox: Log<Email>;
  readonly deliveries: Log<Delivery>;
  readonly effects: { readonly pushes: Log<Pushed>; readonly suppressed: Log<Suppressed> };
}

/** An effect with its outcome so far. */
export interface EffectView {
  readonly kind: 'push' | 'email' | 'delivery' | 'suppressed';
  readonly giftCardId: string;
  /** Such as "to Web shop: 20 USD", "gifted to ada@example.com", "giftcard/voided to https://…". */
  readonly what: string;
  /** Such as "synced", "sent", "delivered: 200", "not sent: the adjustment came through the API". */
  readonly outcome: string;
  /** The clause by which the effect did not happen; null for effects that did. */
  readonly clause: RuleName | null;
}

/** All effects that the account still keeps, by the number of their cause, in the order in which they leave. */
export function effectsOf({ settings, effects, outbox, deliveries }: EffectRecords): ReadonlyMap<number, readonly EffectView[]> {
  const byCause = new Map<number, EffectView[]>();
  const add = ({ id }: Cause, effect: EffectView) => {
    const known = byCause.get(id);
    if (known) known.push(effect);
    else byCause.set(id, [effect]);
  };
  const nameOf = (id: string) => settings.channels.find((channel) => channel.id === id)?.name ?? id;
  for (const { cause, giftCardId, currency, listings } of effects.pushes.all()) {
    for (const { channelId, balance, state, error } of listings) {
      const what = `to ${nameOf(channelId)}: ${toAmount(balance, currency)} ${currency}`;
      add(cause, { kind: 'push', giftCardId, what, outcome: error === null ? state : `${state}: ${error}`, clause: null });
    }
  }
  for (const { cause, giftCardId, kind, to } of outbox.all())
    add(cause, { kind: 'email', giftCardId, what: `${kind} to ${to}`, outcome: 'sent', clause: null });
  for (const { cause, giftCardId, topic, url, state, result, failures } of deliveries.all()) {
    const answer = result && Object.values(result)[0];
    const outcome = `${state}${answer === undefined ? '' : `: ${answer}`}${state === 'failed' ? ` (${failures})` : ''}`;
    add(cause, { kind: 'delivery', giftCardId, what: `${topic} to ${redactUrls(url)}`, outcome, clause: null });
  }
  for (const { cause, giftCardId, what, why, clause } of effects.suppressed.all())
    add(cause, { kind: 'suppressed', giftCardId, what, outcome: `not sent: ${why}`, clause });
  return byCause;
}
