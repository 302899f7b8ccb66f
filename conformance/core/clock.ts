import { ruleValues } from '../../openapi/generated/rules.ts';
import type { ClockControl, ClockRequest } from '../http/target.ts';
import { type Run, Trial } from './trial.ts';
import { Blocked } from './verdict.ts';

/** Advances the target's clock. Time never goes back, so the step must not expire cards that later tests need. */
export async function advance(t: Trial, clock: ClockControl, seconds: number): Promise<void> {
  const what = `advance the clock by ${seconds} s`;
  const { status } = await t.sendOutside(what, fillPlaceholders(clock.advance, seconds));
  if (status < 200 || status > 299) throw new Blocked(`${what}: the profile's clock request returned ${status}`);
  t.run.msAhead += seconds * 1_000;
}

/** Returns the time on the target's clock, in milliseconds since 1970. */
export const targetNow = (t: Trial): number => Date.now() + t.run.msAhead;

const fillPlaceholders = (request: ClockRequest, seconds: number): ClockRequest =>
  JSON.parse(JSON.stringify(request), (_, value: unknown) => {
    if (value === '{seconds}') return seconds;
    if (typeof value !== 'string') return value;
    return value.replaceAll('{seconds}', `${seconds}`).replaceAll('{duration}', `PT${seconds}S`);
  });

const RATE_LIMIT = ruleValues['limits.rate-admits'];

/** Empties the target's rate window once the window is half full. The next test then does not reach the rate limit. */
export const keepBelowLimit = (run: Run): Promise<void> => emptyRateWindow(run, RATE_LIMIT / 2);

/** Empties the target's rate window if the run has sent at least `sent` requests since the window was last emptied. */
export async function emptyRateWindow(run: Run, sent = 0): Promise<void> {
  const { clock, noRateLimit } = run.profile;
  const { length } = run.client.exchanges;
  if (!clock || noRateLimit || length - run.sentBeforeRelief < sent) return;
  run.sentBeforeRelief = length;
  // A failure is ignored here, because the rules that need the clock report it.
  await advance(new Trial(run), clock, 61).catch(() => undefined);
}
