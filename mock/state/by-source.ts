import type { ListingRecord } from './records.ts';

interface Listed {
  readonly listings: readonly ListingRecord[];
}

/**
 * Things by the ID that a channel gave them. Hardly anybody asks so, and every card is in every channel: the index is made when somebody asks for
 * the first time, and kept from then on.
 */
export class BySource<T extends Listed> {
  /** By channel, then by the ID there. */
  #byChannel: Map<string, Map<string, T>> | undefined;

  /** To be told when a listing of the thing took the place of the one before. */
  put(thing: T, before: ListingRecord | undefined, listing: ListingRecord): void {
    if (!this.#byChannel) return;
    const [was, is] = [sourceOf(before), sourceOf(listing)];
    if (was === is) return;
    if (was !== undefined) this.#byChannel.get(listing.channelId)?.delete(was);
    if (is !== undefined) this.#set(this.#byChannel, listing.channelId, is, thing);
  }

  /** `all` is everything that has listings, for the first one who asks. */
  get(channelId: string, sourceId: string, all: Iterable<T>): T | undefined {
    if (!this.#byChannel) {
      this.#byChannel = new Map();
      for (const thing of all)
        for (const listing of thing.listings) {
          const source = sourceOf(listing);
          if (source !== undefined) this.#set(this.#byChannel, listing.channelId, source, thing);
        }
    }
    return this.#byChannel.get(channelId)?.get(sourceId);
  }

  #set(byChannel: Map<string, Map<string, T>>, channelId: string, sourceId: string, thing: T): void {
    const ofChannel = byChannel.get(channelId);
    if (ofChannel) ofChannel.set(sourceId, thing);
    else byChannel.set(channelId, new Map([[sourceId, thing]]));
  }
}

/** A card that the channel does not have has no ID there to be found by. */
function sourceOf(listing: ListingRecord | undefined): string | undefined {
  return listing?.state === 'synced' ? listing.sourceId : undefined;
}
