import { formatTime } from '../domain/dates.ts';
import type { Delivery } from '../outbound/delivery.ts';
import type { EffectEvent } from '../outbound/effect-queue.ts';
import { runDueEvents } from '../pipeline/commit.ts';
import type { Manifest, Moment } from './generated/types.ts';
import { type ControlledAccount, mustExist } from './resources.ts';

/**
 * Moves an account's clock to `end`, which must not be before its present time. The clock stops at the time of each due event, for requests too,
 * until all effects of the event have left and every delivery has its answer.
 */
export async function advanceTo(account: ControlledAccount, end: number): Promise<Manifest> {
  const { clock, agenda, effects, deliveries } = account;
  const from = clock.now();
  const recorder = recordMoments(account);
  try {
    for (let at = from; ; ) {
      clock.hold(at);
      runDueEvents(account, at);
      await effects.left();
      await deliveries.answered(recorder.deliveries.splice(0));
      mustExist(account);
      const next = agenda.next()?.at ?? Number.POSITIVE_INFINITY;
      if (at === end && next > end) break;
      at = Math.min(end, Math.max(at, next));
    }
  } finally {
    recorder.stop();
    clock.release();
    effects.plan();
  }
  return { fromUtc: formatTime(from), toUtc: formatTime(end), moments: recorder.moments() };
}

type DueEvent = Extract<EffectEvent, { kind: 'moment' }>;
type Caused = Exclude<EffectEvent, DueEvent>;

/** Records due events and what each of them causes, until `stop` is called. Effects of requests in the meantime are left out. */
export function recordMoments({ effects }: ControlledAccount) {
  const byCause = new Map<number, { readonly event: DueEvent; readonly caused: Caused[] }>();
  const deliveries: Delivery[] = [];
  const stop = effects.watch((event) => {
    if (event.kind === 'moment') {
      byCause.set(event.cause.id, { event, caused: [] });
      return;
    }
    const moment = byCause.get(event.cause.id);
    moment?.caused.push(event);
    if (moment && event.kind === 'delivery') deliveries.push(event.delivery);
  });
  return {
    stop,
    deliveries,
    moments: (): Moment[] => Array.from(byCause.values(), ({ event, caused }) => momentOf(event, caused)),
  };
}

function momentOf({ cause, due, card }: DueEvent, caused: readonly Caused[]): Moment {
  return {
    atUtc: formatTime(cause.at),
    what: due.kind,
    giftCardId: card.id,
    code: card.code,
    pushes: ofKind(caused, 'push').flatMap(({ listings }) => listings.map(({ channelId, state }) => ({ channelId, state }))),
    emails: ofKind(caused, 'email').map(({ email: { to, kind, subject } }) => ({ to, kind, subject })),
    deliveries: ofKind(caused, 'delivery').map(({ delivery: { requestId, webhookId, topic, state, result } }) => {
      return { requestId, webhookId, topic, state, ...(result ? { result } : {}) };
    }),
    suppressed: ofKind(caused, 'suppressed').map(({ suppressed: { what, clause, why } }) => ({ what, clause, why })),
  };
}

function ofKind<Kind extends Caused['kind']>(caused: readonly Caused[], kind: Kind) {
  return caused.filter((event): event is Extract<Caused, { kind: Kind }> => event.kind === kind);
}
