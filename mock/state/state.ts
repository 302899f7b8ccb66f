import { CardEntry, NONE } from './card-entry.ts';
import type { Change, Put, Records } from './change.ts';
import { type LetterCase, TextIndex } from './indexes.ts';
import type { Persist } from './persist.ts';
import { Recency } from './recency.ts';
import { type AdjustmentRecord, automationKey, type CardRecord, type Tables, type UniqueKind } from './records.ts';

/**
 * The records of one account, with their indexes. Accounts share no state (authentication.lists-own-records-only,
 * gift-card.create.code-free-on-other-account, idempotency.create.checked-per-account, idempotency.adjustment.checked-per-account).
 */
export class State {
  readonly #cards = new Map<string, CardEntry>();
  readonly #byCode = new TextIndex<CardEntry>();
  readonly #byUniqueId = new Map<string, CardEntry>();
  readonly #byRecipient = new TextIndex<CardEntry>();
  /** The first search builds the index, because most accounts never search. */
  #bySource: TextIndex<CardEntry> | undefined;
  readonly #recency = new Recency<CardEntry>();
  readonly #adjustmentByUniqueId = new Map<string, AdjustmentRecord>();
  readonly #refusedValues = new Map<string, Tables['refusedValues']>();
  /** Records that are found by their ID alone. */
  readonly #byId = {
    webhooks: new Map<string, Tables['webhooks']>(),
    automations: new Map<string, Tables['automations']>(),
    automationKeys: new Map<string, Tables['automationKeys']>(),
    coupons: new Map<string, Tables['coupons']>(),
  };

  apply(change: Change): void {
    if ('put' in change) this.#put(change);
    else this.#byId[change.table].delete(change.remove);
  }

  /** Returns all records. Webhooks, which deliveries change, are captured before the first pause. */
  *capture(): Generator<void, Records> {
    const [cards, updated]: [CardRecord[], number[]] = [[], []];
    const [adjustments, timeline]: [AdjustmentRecord[], Tables['timeline'][]] = [[], []];
    const listings: Tables['listings'][] = [];
    const others = {
      webhooks: [...this.#byId.webhooks.values()],
      automations: [...this.#byId.automations.values()],
      automationKeys: [...this.#byId.automationKeys.values()],
      refusedValues: [...this.#refusedValues.values()],
      coupons: [...this.#byId.coupons.values()],
    };
    for (const entry of this.#cards.values()) {
      cards.push(entry.card);
      for (const adjustment of entry.adjustments) adjustments.push(adjustment);
      for (const line of entry.timeline) timeline.push(line);
      for (const listing of entry.listings) listings.push(listing);
      yield;
    }
    for (const { number } of this.#recency.all()) {
      updated.push(number);
      yield;
    }
    return { cards, updated, adjustments, timeline, listings, ...others };
  }

  /** Restores the result of `capture()` into an empty state. */
  restore({ cards, updated, ...tables }: Records): void {
    const entries = cards.map((card) => this.#indexCard(card));
    for (const place of updated) this.#touch(entries[place] as CardEntry);
    for (const table of Object.keys(tables) as (keyof typeof tables)[])
      for (const put of tables[table]) this.#put({ table, put } as Put);
  }

  /** Returns the row of the store for an applied change. The rows of a card and of its listings have the number of the card as key. */
  rowOf(change: Change): Parameters<Persist> {
    if (!('put' in change)) return [change.table, change.remove, undefined];
    const { table, put } = change;
    switch (table) {
      case 'cards':
        return [table, this.#entryOf(put.id).number, change.isBackdated ? { backdated: put } : put];
      case 'listings': {
        const { number, listings } = this.#entryOf(put.cardId);
        return [table, number, listings];
      }
      case 'timeline':
        return [table, undefined, put];
      case 'refusedValues':
        return [table, `${put.kind} ${put.value}`, put];
      default:
        return [table, put.id, put];
    }
  }

  #put(change: Put): void {
    switch (change.table) {
      case 'cards':
        this.#touch(this.#indexCard(change.put));
        if (change.isBackdated) this.#recency.settle(this.#entryOf(change.put.id));
        return;
      case 'adjustments': {
        const adjustment = change.put;
        const { cardId, uniqueAdjustmentId: value, createdAt } = adjustment;
        this.#entryOf(cardId).addAdjustment(adjustment);
        // A snapshot has the adjustments in the order of cards.
        if (value !== null && (this.#adjustmentByUniqueId.get(value)?.createdAt ?? createdAt) <= createdAt)
          this.#adjustmentByUniqueId.set(value, adjustment);
        return;
      }
      case 'timeline':
        this.#entryOf(change.put.cardId).addLine(change.put);
        return;
      case 'listings': {
        const entry = this.#entryOf(change.put.cardId);
        const former = entry.putListing(change.put);
        if (former?.sourceId !== change.put.sourceId) this.#bySource?.add(entry, change.put.sourceId);
        return;
      }
      case 'refusedValues':
        this.#refusedValues.set(`${change.put.kind} ${change.put.value}`, change.put);
        return;
      default:
        (this.#byId[change.table] as Map<string, typeof change.put>).set(change.put.id, change.put);
    }
  }

  #indexCard(card: CardRecord): CardEntry {
    let entry = this.#cards.get(card.id);
    const before = entry?.card;
    if (entry) entry.card = card;
    else {
      entry = new CardEntry(card, this.#cards.size);
      this.#cards.set(card.id, entry);
    }
    if (card.code !== before?.code) this.#byCode.add(entry, card.code);
    if (card.uniqueId !== null && card.uniqueId !== before?.uniqueId) this.#byUniqueId.set(card.uniqueId, entry);
    const [address, former] = [card.recipientEmailAddress, before?.recipientEmailAddress ?? null];
    if (former !== null && former !== address) this.#byRecipient.remove(entry, former);
    if (address !== null && former !== address) this.#byRecipient.add(entry, address);
    return entry;
  }

  /** Moves a card to the head of the list. If two cards were updated at one time, the later change comes first (list.update-ties). */
  #touch(entry: CardEntry): void {
    this.#recency.touch(entry, entry.card.deletedAt !== null);
  }

  #entryOf(cardId: string): CardEntry {
    const entry = this.#cards.get(cardId);
    if (!entry) throw new Error(`There is no card ${cardId}.`);
    return entry;
  }

  card(id: string): CardRecord | undefined {
    return this.#cards.get(id)?.card;
  }
  /** Returns all cards, including deleted cards, in the order of creation. Too slow for requests of the service. */
  *cards(): Iterable<CardRecord> {
    for (const { card } of this.#cards.values()) yield card;
  }
  /** Returns all cards, including deleted cards, last updated first. A card that is updated during the iteration may be missing. */
  *newestCards(): Generator<CardRecord, void> {
    for (const { card } of this.#recency.newestFirst()) yield card;
  }
  /** Returns the last card that got this code, even if the card is voided or deleted. */
  cardByCode(code: string, letterCase: LetterCase = 'exact'): CardRecord | undefined {
    return this.#byCode.get(code).findLast(({ card }) => letterCase === 'any' || card.code === code)?.card;
  }
  /** Returns the cards of an address in any letter case, last updated first. */
  cardsByRecipient(emailAddress: string): readonly CardRecord[] {
    return this.#recency.newestOf(this.#byRecipient.get(emailAddress), true).map(cardOf);
  }
  /** Returns the last card that was created with this unique ID. */
  cardByUniqueId(uniqueId: string): CardRecord | undefined {
    return this.#byUniqueId.get(uniqueId)?.card;
  }
  get hasSources(): boolean {
    return this.#bySource !== undefined;
  }
  /** Builds the index of source IDs. */
  *indexSources(): Generator<void, void> {
    if (this.#bySource) return;
    const index = new TextIndex<CardEntry>();
    for (const entry of this.#cards.values()) {
      for (const { sourceId } of entry.listings) index.add(entry, sourceId);
      yield;
    }
    this.#bySource = index;
  }
  cardBySource(channelId: string, sourceId: string): CardRecord | undefined {
    for (const _ of this.indexSources());
    const isListed = ({ listings }: CardEntry) =>
      listings.some((each) => each.channelId === channelId && each.sourceId === sourceId && each.state === 'synced');
    return this.#bySource?.get(sourceId).findLast(isListed)?.card;
  }
  /**
   * Finds the cards issued strictly after a time. Returns their number, and at most `length` of them from `position` on, last updated first. Every
   * position takes about the same time.
   */
  newest(position: number, length: number, includeDeleted: boolean, after?: number) {
    const { entries, count } = this.#recency.page(position, length, includeDeleted, after);
    return { cards: entries.map(cardOf), count };
  }
  count(includeDeleted: boolean): number {
    return this.#recency.size(includeDeleted);
  }
  /** Returns the last adjustment that was made with this unique ID. */
  adjustmentByUniqueId(uniqueAdjustmentId: string): AdjustmentRecord | undefined {
    return this.#adjustmentByUniqueId.get(uniqueAdjustmentId);
  }
  /** Reports whether a refused request used up the value (idempotency.refused-request). */
  isUsedByRefusal(kind: UniqueKind, value: string): boolean {
    return this.#refusedValues.has(`${kind} ${value}`);
  }
  /** Returns the adjustments of a card in the order of recording. */
  adjustmentsOf(cardId: string): readonly AdjustmentRecord[] {
    return this.#cards.get(cardId)?.adjustments ?? NONE;
  }
  timelineOf(cardId: string): readonly Tables['timeline'][] {
    return this.#cards.get(cardId)?.timeline ?? NONE;
  }
  webhook(id: string): Tables['webhooks'] | undefined {
    return this.#byId.webhooks.get(id);
  }
  webhooks(): Iterable<Tables['webhooks']> {
    return this.#byId.webhooks.values();
  }
  automations(): Iterable<Tables['automations']> {
    return this.#byId.automations.values();
  }
  hasAutomationRun(automationId: string, key: string): boolean {
    return this.#byId.automationKeys.has(automationKey(automationId, key));
  }
  coupon(id: string): Tables['coupons'] | undefined {
    return this.#byId.coupons.get(id);
  }
  coupons(): Iterable<Tables['coupons']> {
    return this.#byId.coupons.values();
  }
  listing(channelId: string, cardId: string): Tables['listings'] | undefined {
    return this.listingsOf(cardId).find((listing) => listing.channelId === channelId);
  }
  /** Returns the listings of a card in the order in which the card was added to the channels. */
  listingsOf(cardId: string): readonly Tables['listings'][] {
    return this.#cards.get(cardId)?.listings ?? NONE;
  }
}

function cardOf({ card }: CardEntry): CardRecord {
  return card;
}
