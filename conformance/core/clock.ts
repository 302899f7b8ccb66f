import type { Answer } from '../http/exchange.ts';
import type { ClockControl } from './target.ts';
import type { Trial } from './trial.ts';
import { Blocked, Untested } from './verdict.ts';

/** Advances the target's clock, which never goes back: what a run still needs of a card must lie after all that its checks let pass. */
export async function advance(t: Trial, clock: ClockControl, seconds: number): Promise<void> {
  await asked(t, `advance the clock by ${seconds} s`, filledAll(clock.advance, seconds) as ClockControl['advance']);
  ahead.set(t.run, aheadOf(t) + seconds * 1_000);
}

/** Does something while the target's clock stands still. Untested `needs-control` where the profile does not say how to stop it. */
export async function atOneMoment<T>(t: Trial, { stop, go }: ClockControl, act: () => Promise<T>): Promise<T> {
  if (!stop || !go) throw new Untested('needs-control', 'the profile does not say how to stop the clock and let it go on');
  const acting = asked(t, 'stop the clock', stop).then(act);
  // Whatever becomes of the check, and of its time: a clock that stands would spoil all that comes.
  const going = acting.then(
    () => t.run.client.outside(go),
    () => t.run.client.outside(go),
  );
  t.run.halted = going.catch(() => undefined);
  try {
    return await acting;
  } finally {
    noted(t, 'let the clock go on', await going);
  }
}

async function asked(t: Trial, what: string, ask: ClockControl['advance']): Promise<void> {
  judged(what, await t.sendOutside(what, ask));
}

function noted(t: Trial, what: string, answer: Answer): void {
  t.exchanges.push(answer.exchange);
  t.did.push(t.run.names.mask(`${what} → ${answer.status}`));
  judged(what, answer);
}

function judged(what: string, { status }: Answer): void {
  if (status < 200 || status > 299) throw new Blocked(`${what}: the request of the profile answered ${status}`);
}

/** By how much a run has advanced the clock of its target, in milliseconds. */
const ahead = new WeakMap<Trial['run'], number>();
const aheadOf = (t: Trial): number => ahead.get(t.run) ?? 0;

/** The time by the target's clock, as far as the run knows it: its own, and all that it let pass. */
export const nowThere = (t: Trial): number => Date.now() + aheadOf(t);

const filled = (text: string, seconds: number) =>
  text.replaceAll('{seconds}', String(seconds)).replaceAll('{duration}', `PT${seconds}S`);

function filledAll(value: unknown, seconds: number): unknown {
  if (value === '{seconds}') return seconds;
  if (typeof value === 'string') return filled(value, seconds);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => filledAll(each, seconds));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filledAll(inner, seconds)]));
}
