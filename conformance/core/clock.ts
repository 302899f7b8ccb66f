import { clauseValues } from '../../openapi/generated/clauses.ts';
import type { ClockControl } from './target.ts';
import { type Run, Trial } from './trial.ts';
import { Blocked } from './verdict.ts';

/** Advances the target's clock, which never goes back: cards that later tests need must not expire in the skipped time. */
export async function advance(t: Trial, clock: ClockControl, seconds: number): Promise<void> {
  const what = `advance the clock by ${seconds} s`;
  const { status } = await t.sendOutside(what, fillPlaceholders(clock.advance, seconds));
  if (status < 200 || status > 299) throw new Blocked(`${what}: the request of the profile answered ${status}`);
  msAhead.set(t.run, (msAhead.get(t.run) ?? 0) + seconds * 1_000);
}

/** By how much the run has advanced the target's clock. */
const msAhead = new WeakMap<Run, number>();

/** The time on the target's clock, in milliseconds: the suite's own time plus what the run has skipped. */
export const targetNow = (t: Trial): number => Date.now() + (msAhead.get(t.run) ?? 0);

/** The request of the profile with its placeholders filled in. */
const fillPlaceholders = (request: ClockControl['advance'], seconds: number): ClockControl['advance'] =>
  JSON.parse(JSON.stringify(request), (_, value: unknown) => {
    if (value === '{seconds}') return seconds;
    if (typeof value !== 'string') return value;
    return value.replaceAll('{seconds}', `${seconds}`).replaceAll('{duration}', `PT${seconds}S`);
  });

const RATE_LIMIT = clauseValues['limits.rate-admits'];

/** Requests that a run had sent when the target's rate window was last emptied. */
const sentAtRelief = new WeakMap<Run, number>();

/** Between two checks: empties the target's rate window before a check would reach the limit. Needs a clock in the profile. */
export async function keepBelowLimit(run: Run): Promise<void> {
  const sent = run.client.exchanges.length;
  if (sent - (sentAtRelief.get(run) ?? 0) < RATE_LIMIT / 2) return;
  sentAtRelief.set(run, sent);
  await emptyRateWindow(run);
}

/** Advances the target's clock past the rate window. Does nothing if the profile has no clock or declares no rate limit. */
export async function emptyRateWindow(run: Run): Promise<void> {
  const { clock, noRateLimit } = run.profile;
  if (!clock || noRateLimit) return;
  // The clauses that need the clock report its failure.
  await advance(new Trial(run), clock, 61).catch(() => undefined);
}
