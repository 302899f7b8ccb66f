import { setTimeout as pause } from 'node:timers/promises';
import { arranged, type Trial } from '../core/trial.ts';
import { leaves } from '../http/structure.ts';
import { history } from './adjustments.ts';
import { getByCode } from './card-requests.ts';
import { atRest } from './wait-until-stable.ts';

/** All that the card and its history tell, by where it stands. */
async function recordOf(t: Trial, code: string): Promise<Map<string, unknown>> {
  const told = [arranged(await getByCode(t, code), 'the card').json, arranged(await history(t, code), 'its history').json];
  return new Map(leaves(told).map(({ path, value }) => [path, value]));
}

const differing = (one: Map<string, unknown>, other: Map<string, unknown>) =>
  [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path));

/** Where the card and its history tell something else after something was done than before, and do not by themselves. */
export async function changesBy(t: Trial, code: string, act: () => Promise<unknown>): Promise<string[]> {
  // What is done in the background, such as adding the card to channels, is done before.
  const before = await atRest(
    () => recordOf(t, code),
    (one, other) => one.size === other.size,
  );
  // What changes by itself, such as a link that is signed anew, is no change of the record.
  const byItself = differing(before, await recordOf(t, code));
  await act();
  const after = await recordOf(t, code);
  const changed = differing(before, after).filter((path) => !byItself.includes(path));
  if (changed.length === 0) return changed;
  // A clock that shows seconds ticks by itself, too.
  await pause(1_100);
  const ticking = differing(after, await recordOf(t, code));
  return changed.filter((path) => !ticking.includes(path));
}
