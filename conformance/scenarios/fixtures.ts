import { giftCard } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { at, leaves } from '../http/structure.ts';
import { getByCode } from './card-requests.ts';
import type { Card } from './cards.ts';
import { findListed } from './lists.ts';
import { purse } from './shared-cards.ts';

/** A card of the profile, of which only code and ID are known. */
export type Fixture = Pick<Card, 'code' | 'id'>;

/** The profile's card, looked up. Untested `fixture-missing` when it is not in that state, or is not found. */
export async function fixture(t: Trial, code: string, state?: string): Promise<Fixture> {
  const answer = await getByCode(t, code);
  if (answer.status !== 200) throw new Untested('fixture-missing', `the profile's card is not found: ${answer.status}`);
  const { id, status } = giftCard(answer);
  if (typeof id !== 'string' && typeof id !== 'number') throw new Untested('fixture-missing', 'the profile’s card shows no id');
  if (state !== undefined && status !== state)
    throw new Untested('fixture-missing', `the profile's card is ${String(status)}, not ${state}`);
  return { code, id };
}

/** A deleted card, which only the list shows for certain. Its ID stands where another card's record has its own. */
export async function deletedCard(t: Trial, code: string): Promise<Fixture & { record: unknown }> {
  const on = await purse(t);
  const known = await findListed(t, on);
  const path = leaves(known).find(({ value }) => value === on.id)?.path;
  const record = await findListed(t, { code }, { includeAll: true });
  const id = path === undefined ? undefined : at(record, path);
  if (record === undefined)
    throw new Untested('fixture-missing', 'the deleted card is not in the list, not even with includeAll');
  if (typeof id !== 'string' && typeof id !== 'number') throw new Untested('fact-missing', 'the list shows no id of its cards');
  return { code, id, record };
}
