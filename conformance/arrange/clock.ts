import type { ClockControl } from '../target.ts';
import type { Trial } from '../trial.ts';
import { Blocked } from '../verdict.ts';

/** Advances the target's clock, which never goes back: what a run still needs of a card must lie after all that its checks let pass. */
export async function advance(t: Trial, clock: ClockControl, seconds: number): Promise<void> {
  const { method, url, headers, body } = clock.advance;
  const answer = await t.sendOutside(`advance the clock by ${seconds} s`, {
    method,
    url: filled(url, seconds),
    ...(headers ? { headers: filledAll(headers, seconds) as Record<string, string> } : {}),
    ...(body === undefined ? {} : { body: filledAll(body, seconds) }),
  });
  if (answer.status < 200 || answer.status > 299) throw new Blocked(`advancing the clock: ${url} answered ${answer.status}`);
  ahead.set(t.run, aheadOf(t) + seconds * 1_000);
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
