import { advance } from '../core/clock.ts';
import type { ClockControl, DueCard } from '../core/target.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { leaves } from '../http/structure.ts';
import { getByCode, getById } from './card-requests.ts';
import { deletedCard } from './fixtures.ts';

/** Cards of the profile that fall due, of which no request makes any. */
const entries = ['unreachableGift', 'expiringGift', 'expiringDeletedCard'] as const;
type Entry = (typeof entries)[number];

/** The status of such a card before it was due and after a midnight that followed. Untested `fixture-missing` where it was not as it is to be. */
export async function dueCard(t: Trial, clock: ClockControl, entry: Entry): Promise<{ before: string; after: string }> {
  const { before, after } = await t.shared('cards that fall due', async (shared) => {
    const seen = await statuses(shared);
    const days = Math.max(...entries.map((each) => shared.run.profile[each]?.dueInDays ?? 0));
    // As they are used up together, all of them come due at once.
    await advance(shared, clock, Math.ceil(days * 24 + 25) * 3_600);
    return { before: seen, after: await statuses(shared) };
  });
  const [first, last] = [before.get(entry), after.get(entry)];
  if (first === undefined || last === undefined)
    throw new Untested('fixture-missing', `the status of the profile's ${entry} is not shown, or there is no such card`);
  return { before: first, after: last };
}

async function statuses(t: Trial): Promise<Map<Entry, string>> {
  const found = new Map<Entry, string>();
  for (const entry of entries) {
    const due: DueCard | undefined = t.run.profile[entry];
    const status =
      due && (entry === 'expiringDeletedCard' ? await ofDeleted(t, due.code) : statusIn((await getByCode(t, due.code)).json));
    if (status !== undefined) found.set(entry, status);
  }
  return found;
}

/** Whether a deleted card is found by its ID is open; where it is not, the list may tell. */
async function ofDeleted(t: Trial, code: string): Promise<string | undefined> {
  try {
    const { id, record } = await deletedCard(t, code);
    return statusIn((await getById(t, id)).json) ?? statusIn(record);
  } catch (error) {
    // It is not told to whoever asks about another card.
    if (error instanceof Untested) return undefined;
    throw error;
  }
}

function statusIn(json: unknown): string | undefined {
  const value = leaves(json).find(({ path }) => path === '/status')?.value;
  return typeof value === 'string' ? value : undefined;
}
