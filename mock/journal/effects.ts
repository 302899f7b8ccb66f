import type { ReasonName } from '../../openapi/generated/rules.ts';
import type { Settings } from '../account/settings.ts';
import { toAmount } from '../domain/money.ts';
import type { BoundedLog } from '../outbound/bounded-log.ts';
import type { Cause } from '../outbound/cause.ts';
import type { SuppressedRecord } from '../outbound/deliveries.ts';
import type { Delivery } from '../outbound/delivery.ts';
import type { Pushed } from '../outbound/effect-queue.ts';
import type { Email } from '../outbound/outbox.ts';
import { redactUrls } from './redaction.ts';

type Log<T> = Pick<BoundedLog<T>, 'all'>;

export interface EffectRecords {
  readonly settings: Settings;
  readonly effects: {
    readonly pushes: Log<Pushed>;
    readonly outbox: Log<Email>;
    readonly deliveries: Log<Delivery>;
    readonly suppressed: Log<SuppressedRecord>;
  };
}

/** An effect with its outcome so far: "giftcard/voided to https://…", "delivered: 200". */
export interface EffectView {
  readonly kind: 'push' | 'email' | 'delivery' | 'suppressed';
  readonly giftCardId: string;
  readonly what: string;
  readonly outcome: string;
  /** The time from the post of a delivery to the receiver's response. */
  readonly milliseconds: number | null;
  /** The rule that suppressed the effect. */
  readonly rule: ReasonName | null;
}

const NONE = { milliseconds: null, rule: null };

/** Returns a function that takes the number of a cause, and returns the effects of that cause in the order of sending. */
export function effectsOfCause({ settings, effects }: EffectRecords): (number: number) => readonly EffectView[] {
  const pushes = effectsByCause(effects.pushes.all());
  const emails = effectsByCause(effects.outbox.all());
  const posts = effectsByCause(effects.deliveries.all());
  const suppressed = effectsByCause(effects.suppressed.all());
  const nameOf = (id: string) => settings.channels.find((channel) => channel.id === id)?.name ?? id;
  return (number) => [
    ...pushes(number).flatMap(({ giftCardId, currency, listings }) =>
      listings.map(({ channelId, balance, state, error }): EffectView => {
        const what = `to ${nameOf(channelId)}: ${toAmount(balance, currency)} ${currency}`;
        return { kind: 'push', giftCardId, what, outcome: error === null ? state : `${state}: ${error}`, ...NONE };
      }),
    ),
    ...emails(number).map(({ giftCardId, kind, to }): EffectView => {
      return { kind: 'email', giftCardId, what: `${kind} to ${to}`, outcome: 'sent', ...NONE };
    }),
    ...posts(number).map(({ giftCardId, topic, url, state, result, milliseconds, failures }): EffectView => {
      const response = result && Object.values(result)[0];
      const outcome = `${state}${response === undefined ? '' : `: ${response}`}${state === 'failed' ? ` (${failures})` : ''}`;
      return {
        kind: 'delivery',
        giftCardId,
        what: `${topic} to ${redactUrls(url)}`,
        outcome,
        milliseconds: milliseconds ?? null,
        rule: null,
      };
    }),
    ...suppressed(number).map(({ giftCardId, what, why, rule }): EffectView => {
      return { kind: 'suppressed', giftCardId, what, outcome: `not sent: ${why}`, milliseconds: null, rule };
    }),
  ];
}

/** Groups records by cause. Returns a function that takes the number of a cause, and returns the records of that cause. */
export function effectsByCause<T extends { readonly cause: Cause }>(records: readonly T[]): (number: number) => readonly T[] {
  const groups = new Map<number, T[]>();
  for (const record of records) groups.set(record.cause.id, [...(groups.get(record.cause.id) ?? []), record]);
  return (number) => groups.get(number) ?? [];
}
