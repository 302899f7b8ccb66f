import { mustExist } from '../account/accounts.ts';
import { idle } from '../account/clock.ts';
import { summaryOf } from '../account/clock-move.ts';
import { formatTime } from '../domain/dates.ts';
import { effectsByCause } from '../journal/effects.ts';
import type { Delivery } from '../outbound/delivery.ts';
import { catchUp } from '../pipeline/commit.ts';
import type { ClockAdvance, ClockEvent } from './generated/types.ts';
import type { ControlledAccount } from './resources.ts';

/**
 * Moves a clock from `from`, its present time, to `end`. At each due event, waits until the effects are sent and every delivery has its response. Requests are
 * handled between two times, but not between two events of the same time. A receiver may send such a request before it responds.
 */
export async function advanceTo(account: ControlledAccount, from: number, end: number): Promise<ClockAdvance> {
  const { clock, effects, journal } = account;
  const { deliveries } = effects;
  const before = journal.lastNumber;
  const isNew = ({ state, cause }: Delivery) => state === 'queued' && cause.kind === 'clock' && cause.id > before;
  try {
    for (let at = from; ; ) {
      const { lastNumber } = journal;
      clock.stopAt(at);
      await catchUp(account);
      await effects.left();
      // This check saves a search of all deliveries at a time without a delivery.
      if ((deliveries.last?.cause.id ?? 0) > lastNumber) await deliveries.waitForEnd(deliveries.all().filter(isNew));
      await idle();
      mustExist(account);
      const next = clock.scheduler.next()?.at ?? Number.POSITIVE_INFINITY;
      if (at === end && next > end) break;
      at = Math.min(end, Math.max(at, next));
    }
  } finally {
    clock.release();
    clock.setTimer();
  }
  const events = eventsAfter(account, before);
  account.services.log.clock(account.id, { mode: 'advanced', from, to: end, events });
  await idle(); // The response can be large, too.
  return { fromUtc: formatTime(from), toUtc: formatTime(end), summary: summaryOf({ events }), events };
}

/** Returns the last 1,000 due events after the cause with the number `before`, each with its effects. More would block the event loop. */
export function eventsAfter({ journal, state, effects }: ControlledAccount, before: number): ClockEvent[] {
  const pushes = effectsByCause(effects.pushes.all());
  const emails = effectsByCause(effects.outbox.all());
  const posts = effectsByCause(effects.deliveries.all());
  const suppressed = effectsByCause(effects.suppressed.all());
  const events = journal.entries().flatMap((entry) => (entry.number > before && entry.kind === 'clock' ? [entry] : []));
  return events.slice(-1000).map(({ number, at, what, giftCardId = '' }) => ({
    atUtc: formatTime(at),
    what: what as ClockEvent['what'],
    giftCardId,
    code: state.card(giftCardId)?.code ?? '',
    pushes: pushes(number).flatMap(({ listings }) => listings.map(({ channelId, state }) => ({ channelId, state }))),
    emails: emails(number).map(({ to, kind, subject }) => ({ to, kind, subject })),
    deliveries: posts(number).map(({ requestId, webhookId, topic, state, result }) => {
      return { requestId, webhookId, topic, state, ...(result ? { result } : {}) };
    }),
    suppressed: suppressed(number).map(({ what, rule, why }) => ({ what, rule, why })),
  }));
}
