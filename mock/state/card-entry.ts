import type { Placed } from './recency.ts';
import type { AdjustmentRecord, CardRecord, ListingRecord, TimelineRecord } from './records.ts';

/** Shared by the many cards that nothing of a kind hangs on; nothing is ever put into it. */
export const NONE = Object.freeze([]) as readonly never[] as never[];

/** A card and all that hangs on it. */
export class Holding implements Placed {
  card: CardRecord;
  adjustments: AdjustmentRecord[] = NONE;
  timeline: TimelineRecord[] = NONE;
  listings: readonly ListingRecord[] = NONE;
  slot = -1;

  constructor(card: CardRecord) {
    this.card = card;
  }

  adjust(adjustment: AdjustmentRecord): void {
    this.adjustments = longer(this.adjustments, adjustment);
  }

  tell(line: TimelineRecord): void {
    this.timeline = longer(this.timeline, line);
  }

  /** Puts the listing in the place of the one that the same channel had of the card, and answers with that one. */
  list(listing: ListingRecord): ListingRecord | undefined {
    const before = this.listings.find(({ channelId }) => channelId === listing.channelId);
    this.listings = before ? this.listings.map((each) => (each === before ? listing : each)) : this.listings.concat([listing]);
    return before;
  }
}

export function toCard({ card }: Holding): CardRecord {
  return card;
}

/** The list with one more. Most stay at one, and only a list that is pushed to takes room for more than it has. */
function longer<T>(list: T[], one: T): T[] {
  if (list === NONE) return [one];
  list.push(one);
  return list;
}
