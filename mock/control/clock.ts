import { parseDateTime } from '../../openapi/date-time.ts';
import type { Account } from '../account/account.ts';
import { Clock, type ClockMode } from '../account/clock.ts';
import { addDuration, DURATIONS, formatTime, LAST_TIME, parseDuration } from '../domain/dates.ts';
import { runDueEvents } from '../pipeline/commit.ts';
import { mustBeThere } from './accounts.ts';
import { advanceTo, type Manifest, type Moment } from './advance.ts';
import { ControlError } from './control-error.ts';

/** An account's clock, as the control API shows it. */
interface ClockView {
  readonly nowUtc: string;
  readonly mode: ClockMode;
  /** How far it is ahead of the machine's clock, in milliseconds; less than zero when it is behind. */
  readonly offset: number;
  /** When the next thing is planned to happen by itself, if anything is. */
  readonly nextMomentUtc: string | null;
}

export function readClock({ clock, agenda }: Account): ClockView {
  const next = agenda.next();
  return {
    nowUtc: formatTime(clock.now()),
    mode: clock.mode,
    offset: clock.offset,
    nextMomentUtc: next ? formatTime(next.at) : null,
  };
}

/** A clock that was set, and what fell due on the way; what that causes has not left yet. */
interface ClockSet extends ClockView {
  readonly moments: readonly Pick<Moment, 'atUtc' | 'what' | 'giftCardId' | 'code'>[];
}

/** How a clock is to go, and from when; what is left out stays as it is. A clock that follows the machine and is set goes on running from there. */
interface ClockSetting {
  readonly mode?: ClockMode | undefined;
  /** RFC 3339. */
  readonly at?: string | undefined;
}

/**
 * Freezes a clock, sets it, lets it run, or lets it follow the machine again. What falls due in between happens at its own moment; what it
 * causes leaves afterwards. A clock that is being advanced is set when that is done.
 */
export function setClock(account: Account, { mode, at }: ClockSetting): Promise<ClockSet> {
  return account.clockwork.take(() => {
    mustBeThere(account);
    const { clock } = account;
    if (mode === 'real' && at !== undefined)
      throw new ControlError(
        400,
        'A clock that follows the machine shows its time; leave at out, or let the clock run from there.',
      );
    const to = mode === 'real' ? new Clock().now() : at === undefined ? clock.now() : momentOf(account, 'at', at);
    if (mode === 'real') mustBeAhead(account, to, 'The time of the machine');
    const moments: ClockSet['moments'][number][] = [];
    const unwatch = account.effects.watch((happened) => {
      if (happened.kind !== 'moment') return;
      const { cause, due, card } = happened;
      moments.push({ atUtc: formatTime(cause.at), what: due.kind, giftCardId: card.id, code: card.code });
    });
    runDueEvents(account, to);
    unwatch();
    if (mode === 'real') clock.follow();
    else if (mode === 'frozen' || (mode === undefined && clock.mode === 'frozen')) clock.freeze(to);
    else if (mode === 'running' || at !== undefined) clock.run(to);
    account.effects.plan();
    return { ...readClock(account), moments };
  });
}

/** How far a clock is to be advanced: by a duration, or to a moment (RFC 3339). */
interface Advance {
  readonly by?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Lets time pass: everything that falls due happens in order, each at its own moment, and what it causes has arrived before the next. Answers
 * with what happened. Whoever asks while the clock is being advanced waits for its turn.
 */
export async function advance(account: Account, { by, to }: Advance): Promise<Manifest> {
  if ((by === undefined) === (to === undefined))
    throw new ControlError(400, 'Send either by, a duration such as P1D or PT90S, or to, a moment such as 2027-01-31T00:00:00Z.');
  const duration = by === undefined ? undefined : parseDuration(by);
  if (by !== undefined && duration === undefined)
    throw new ControlError(400, `by must be a duration such as ${DURATIONS}, not "${by}"; time only goes forward.`);
  return account.clockwork.take(() => {
    mustBeThere(account);
    const end = duration ? addDuration(account.clock.now(), duration) : momentOf(account, 'to', to as string);
    // Written so that what is no number is too late as well.
    if (!(end <= LAST_TIME)) throw new ControlError(400, `That is later than the year 9999, where time ends here.`);
    return advanceTo(account, end);
  });
}

/** The moment that a text names, if the clock can still reach it. */
function momentOf(account: Account, name: string, text: string): number {
  const at = parseDateTime(text);
  if (at === undefined) throw new ControlError(400, `${name} must be a moment such as 2027-01-31T00:00:00Z, not "${text}".`);
  mustBeAhead(account, at, `${name}, ${text},`);
  return at;
}

function mustBeAhead({ id, clock }: Account, at: number, what: string): void {
  const now = clock.now();
  if (at >= now) return;
  throw new ControlError(
    409,
    `${what} is before the account's own time, which is ${formatTime(now)} and only goes forward; reset the account ${id} or restore a snapshot of it to go back.`,
  );
}
