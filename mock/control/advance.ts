import { formatTime } from '../domain/dates.ts';
import { byCause } from '../journal/effects.ts';
import type { Delivery } from '../outbound/delivery.ts';
import { runDueEvents } from '../pipeline/commit.ts';
import type { Manifest, Moment } from './generated/types.ts';
import { type ControlledAccount, mustExist } from './resources.ts';

/** Moves a clock forward to `end`. At the time of each due event, waits until the effects are sent and every delivery has its answer. */
export async function advanceTo(account: ControlledAccount, end: number): Promise<Manifest> {
  const { clock, agenda, effects, deliveries, causes: before } = account;
  const from = clock.now();
  const isNew = ({ state, cause }: Delivery) => state === 'queued' && cause.kind === 'clock' && cause.id > before;
  try {
    for (let at = from; ; ) {
      clock.hold(at);
      runDueEvents(account, at);
      await effects.left();
      await deliveries.answered(deliveries.all().filter(isNew));
      mustExist(account);
      const next = agenda.next()?.at ?? Number.POSITIVE_INFINITY;
      if (at === end && next > end) break;
      at = Math.min(end, Math.max(at, next));
    }
  } finally {
    clock.release();
    effects.plan();
  }
  return { fromUtc: formatTime(from), toUtc: formatTime(end), moments: momentsAfter(account, before) };
}

/** Returns the due events after the cause with the number `before`, each with its effects. */
export function momentsAfter({ journal, state, effects, outbox, deliveries }: ControlledAccount, before: number): Moment[] {
  const pushes = byCause(effects.pushes.all());
  const emails = byCause(outbox.all());
  const posts = byCause(deliveries.all());
  const suppressed = byCause(effects.suppressed.all());
  const events = journal.entries().flatMap((entry) => (entry.number > before && entry.kind === 'clock' ? [entry] : []));
  return events.map(({ number, at, what, giftCardId = '' }) => ({
    atUtc: formatTime(at),
    what: what as Moment['what'],
    giftCardId,
    code: state.card(giftCardId)?.code ?? '',
    pushes: pushes(number).flatMap(({ listings }) => listings.map(({ channelId, state }) => ({ channelId, state }))),
    emails: emails(number).map(({ to, kind, subject }) => ({ to, kind, subject })),
    deliveries: posts(number).map(({ requestId, webhookId, topic, state, result }) => {
      return { requestId, webhookId, topic, state, ...(result ? { result } : {}) };
    }),
    suppressed: suppressed(number).map(({ what, clause, why }) => ({ what, clause, why })),
  }));
}
