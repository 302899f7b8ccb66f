import { parseDateTime } from '../../openapi/date-time.ts';
import { mustExist } from '../account/accounts.ts';
import { runInSlices, systemTime } from '../account/clock.ts';
import { addDuration, DURATIONS, formatTime, LAST_TIME, parseDuration } from '../domain/dates.ts';
import { decideDueEvent } from '../domain/due-events.ts';
import { catchUp } from '../pipeline/commit.ts';
import { advanceTo, eventsAfter } from './advance.ts';
import type { ClockAdvance, ClockChange, ClockReading, PlannedEvent } from './generated/types.ts';
import type { Body, Query } from './operation-types.ts';
import { ControlError, type ControlledAccount, type InAccount } from './resources.ts';

export function getClock({ account: { clock } }: InAccount): ClockReading {
  return {
    nowUtc: formatTime(clock.now()),
    mode: clock.mode,
    offset: clock.offset,
    nextEventUtc: formatTime(clock.scheduler.next()?.at ?? null),
  };
}

/** Runs due events up to the new time, then changes the clock. Sends the effects after the response. */
export function setClock({ account, body: { mode, at } }: InAccount & Body<'setClock'>): Promise<ClockChange> {
  return account.work.onClock.run(async () => {
    mustExist(account);
    const { clock } = account;
    if (mode === 'real' && at !== undefined)
      throw new ControlError(400, 'mode real shows the system time, so "at" is not allowed. Omit "at", or use mode "running".');
    const to = mode === 'real' ? systemTime() : at === undefined ? clock.now() : reachableTime(account, 'at', at);
    if (mode === 'real') mustNotBePast(account, to, 'The system time');
    const [before, from] = [account.journal.lastNumber, clock.now()];
    // Requests that wait for the events see the new time.
    clock.stopAt(to);
    await catchUp(account);
    mustExist(account);
    const events = eventsAfter(account, before).map(({ atUtc, what, giftCardId, code }) => ({ atUtc, what, giftCardId, code }));
    if (mode === 'real') clock.follow();
    else if (mode === 'frozen' || (mode === undefined && clock.mode === 'frozen')) clock.freeze(to);
    else if (mode === 'running' || at !== undefined) clock.run(to);
    clock.setTimer();
    account.services.log.clock(account.id, { mode: clock.mode, from, to, events });
    return { ...getClock({ account }), events };
  });
}

export async function advanceClock({ account, body: { by, to } }: InAccount & Body<'advanceClock'>): Promise<ClockAdvance> {
  if ((by === undefined) === (to === undefined))
    throw new ControlError(400, 'Send either "by" (a duration such as P1D) or "to" (a time such as 2027-01-31T00:00:00Z).');
  const duration = by === undefined ? undefined : parseDuration(by);
  if (by !== undefined && duration === undefined)
    throw new ControlError(400, `by must be a duration such as ${DURATIONS}, got "${by}". Time only goes forward.`);
  return account.work.onClock.run(() => {
    mustExist(account);
    const from = account.clock.now();
    const end = duration ? addDuration(from, duration) : reachableTime(account, 'to', to as string);
    // If the duration is very long, `end` is NaN. The negated comparison refuses NaN, too.
    if (!(end <= LAST_TIME)) throw new ControlError(400, `${by ?? to} is after the year 9999, the limit of the clock.`);
    return advanceTo(account, from, end);
  });
}

/** Returns the next events that will cause something. Looks for them in slices of time, because most of the planned events may no longer apply. */
export async function listUpcoming({ account, query: { limit = 20 } = {} }: InAccount & Query<'listUpcoming'>) {
  const upcoming: PlannedEvent[] = [];
  const planned = account.clock.scheduler.inOrder();
  await runInSlices(() => {
    const { value: due, done } = planned.next();
    if (due && decideDueEvent(due, account.context(due.at, 'the clock')))
      upcoming.push({
        atUtc: formatTime(due.at),
        what: due.kind,
        giftCardId: due.cardId,
        code: account.state.card(due.cardId)?.code ?? '',
      });
    return !done && upcoming.length < limit;
  });
  return upcoming;
}

function reachableTime(account: ControlledAccount, name: string, text: string): number {
  const at = parseDateTime(text) as number;
  mustNotBePast(account, at, `${name} ${text}`);
  return at;
}

function mustNotBePast({ id, clock }: ControlledAccount, at: number, what: string): void {
  const now = clock.now();
  if (at >= now) return;
  throw new ControlError(
    409,
    `${what} is before the account's time ${formatTime(now)}. Time only goes forward. To go back, reset the account ${id}, or restore a snapshot.`,
  );
}
