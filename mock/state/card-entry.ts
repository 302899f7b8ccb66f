import type { Ranked } from './recency.ts';
import type { AdjustmentRecord, CardRecord, ListingRecord, TimelineRecord } from './records.ts';

/** An empty list that many cards share. */
export const NONE = Object.freeze([]) as readonly never[] as never[];

export class CardEntry implements Ranked {
  card: CardRecord;
  /** The position in the order of creation, from 0. */
  readonly number: number;
  adjustments: AdjustmentRecord[] = NONE;
  timeline: TimelineRecord[] = NONE;
  listings: readonly ListingRecord[] = NONE;
  block: Ranked['block'];
  slot = 0;

  constructor(card: CardRecord, number: number) {
    this.card = card;
    this.number = number;
  }

  addAdjustment(adjustment: AdjustmentRecord): void {
    this.adjustments = append(this.adjustments, adjustment);
  }

  addLine(line: TimelineRecord): void {
    this.timeline = append(this.timeline, line);
  }

  /** Replaces the card's listing in the channel, and returns the former listing. */
  putListing(listing: ListingRecord): ListingRecord | undefined {
    const former = this.listings.find(({ channelId }) => channelId === listing.channelId);
    this.listings = former ? this.listings.map((each) => (each === former ? listing : each)) : this.listings.concat([listing]);
    return former;
  }
}

/** Appends an item. Most lists keep one item, for which an array literal reserves less memory than `push`. */
function append<T>(list: T[], item: T): T[] {
  if (list === NONE) return [item];
  list.push(item);
  return list;
}
