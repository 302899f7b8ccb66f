import type { Account } from '../account/account.ts';
import { formatTime, localMonth } from '../domain/dates.ts';
import type { Due } from '../domain/due-events.ts';
import type { Delivery } from '../outbound/delivery.ts';
import type { EffectEvent } from '../outbound/effect-queue.ts';
import { runDueEvents } from '../pipeline/commit.ts';
import type { CardRecord, ListingRecord } from '../state/records.ts';
import { ControlError } from './control-error.ts';

/** What happened while time passed, in order. */
export interface Manifest {
  readonly fromUtc: string;
  readonly toUtc: string;
  readonly moments: readonly Moment[];
  /** What time itself changed, whether or not anything happened. */
  readonly passed: {
    /** Requests that count toward the rate limit; where each key or address has a window of its own, in the fullest one. */
    readonly requestsInWindow: Passed<number>;
    /** In the account's time zone, e.g. 2026-01. */
    readonly allowanceMonth: Passed<string>;
  };
}

interface Passed<T> {
  readonly before: T;
  readonly after: T;
}

/** Something that fell due, and everything it caused. */
export interface Moment {
  readonly atUtc: string;
  readonly what: Due['kind'];
  readonly giftCardId: string;
  readonly code: string;
  readonly pushes: readonly Pick<ListingRecord, 'channelId' | 'state'>[];
  readonly emails: readonly { readonly to: string; readonly kind: string; readonly subject: string }[];
  readonly deliveries: readonly Pick<Delivery, 'requestId' | 'webhookId' | 'topic' | 'state' | 'result'>[];
  readonly suppressed: readonly { readonly what: string; readonly clause: string; readonly why: string }[];
}

/**
 * Moves an account's clock to `end`, which must not lie behind it. The clock stands at each moment in turn, for requests too, until what
 * happened there has left and every delivery has its answer; then it goes on to the next.
 */
export async function advanceTo(account: Account, end: number): Promise<Manifest> {
  const { clock, agenda, effects } = account;
  const [from, before] = [clock.now(), passing(account)];
  const notes = new Notes();
  const unwatch = effects.watch(notes.take);
  try {
    for (let at = from; ; ) {
      clock.hold(at);
      runDueEvents(account, at);
      await effects.left();
      await account.deliveries.answered(notes.newDeliveries());
      if (effects.stopped)
        throw new ControlError(409, `The account ${account.id} was reset, restored or removed while its time passed; ask again.`);
      const next = agenda.next()?.at ?? Number.POSITIVE_INFINITY;
      if (at === end && next > end) break;
      at = Math.min(end, Math.max(at, next));
    }
  } finally {
    unwatch();
    clock.letGo();
    effects.plan();
  }
  const after = passing(account, end);
  return {
    fromUtc: formatTime(from),
    toUtc: formatTime(end),
    moments: notes.moments(),
    passed: {
      requestsInWindow: { before: before.requests, after: after.requests },
      allowanceMonth: { before: before.month, after: after.month },
    },
  };
}

function passing({ rate, clock, settings }: Account, now = clock.now()) {
  return { requests: rate.used(now), month: localMonth(now, settings.timeZone) };
}

interface Note {
  readonly at: number;
  readonly what: Due['kind'];
  readonly card: CardRecord;
  readonly happened: Exclude<EffectEvent, { kind: 'moment' }>[];
}

/** Takes down what comes of each moment of the clock, by its cause; what requests cause meanwhile is none of it. */
class Notes {
  readonly #byCause = new Map<number, Note>();
  #deliveries: Delivery[] = [];

  readonly take = (happened: EffectEvent): void => {
    if (happened.kind === 'moment') {
      const { cause, due, card } = happened;
      this.#byCause.set(cause.id, { at: cause.at, what: due.kind, card, happened: [] });
      return;
    }
    const note = this.#byCause.get(happened.cause.id);
    note?.happened.push(happened);
    if (note && happened.kind === 'delivery') this.#deliveries.push(happened.delivery);
  };

  /** Those that were formed since the last time. */
  newDeliveries(): readonly Delivery[] {
    const formed = this.#deliveries;
    this.#deliveries = [];
    return formed;
  }

  moments(): readonly Moment[] {
    return Array.from(this.#byCause.values(), ({ at, what, card, happened }) => ({
      atUtc: formatTime(at),
      what,
      giftCardId: card.id,
      code: card.code,
      pushes: happened.flatMap((each) =>
        each.kind === 'push' ? each.listings.map(({ channelId, state }) => ({ channelId, state })) : [],
      ),
      emails: happened.flatMap((each) => {
        if (each.kind !== 'email') return [];
        const { to, kind, subject } = each.email;
        return [{ to, kind, subject }];
      }),
      deliveries: happened.flatMap((each) => {
        if (each.kind !== 'delivery') return [];
        const { requestId, webhookId, topic, state, result } = each.delivery;
        return [{ requestId, webhookId, topic, state, result }];
      }),
      suppressed: happened.flatMap((each) => {
        if (each.kind !== 'suppressed') return [];
        const { what, clause, why } = each.suppressed;
        return [{ what, clause, why }];
      }),
    }));
  }
}
