import { clauseValues } from '../../openapi/generated/clauses.ts';
import { advance } from '../core/clock.ts';
import { type Run, Trial } from './trial.ts';

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
