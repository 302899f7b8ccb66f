import { CardEntry, NONE } from './card-entry.ts';
import type { Change, Put, Records } from './change.ts';
import { type LetterCase, NameIndex, RecipientIndex, SourceIndex, TimeIndex } from './indexes.ts';
import { Recency } from './recency.ts';
import { type AdjustmentRecord, automationKey, type CardRecord, type Tables, type UniqueKind } from './records.ts';
import type { View } from './view.ts';

/**
 * The records of one account, with their indexes. Accounts share no state (authentication.lists-own-records-only,
 * gift-card.create.code-free-on-other-account, idempotency.create.checked-per-account, idempotency.adjustment.checked-per-account).
 */
export class State implements View {
  readonly #cards = new Map<string, CardEntry>();
  readonly #byCode = new NameIndex<CardEntry>(({ card }) => card.code);
  readonly #byUniqueId = new Map<string, CardEntry>();
  readonly #byRecipient = new RecipientIndex<CardEntry>();
  readonly #bySource = new SourceIndex<CardEntry>();
  readonly #byIssue = new TimeIndex<CardEntry>(({ card }) => card.createdAt);
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

  records(): Records {
    const entries = [...this.#cards.values()];
    const positions = new Map(entries.map((entry, position) => [entry, position]));
    return {
      cards: entries.map(cardOf),
      updated: this.#recency
        .page(0, entries.length, true)
        .reverse()
        .map((entry) => positions.get(entry) as number),
      // Sorted by time, since the last adjustment with a unique value replaces earlier ones.
      adjustments: entries.flatMap(({ adjustments }) => adjustments).sort((one, other) => one.createdAt - other.createdAt),
      timeline: entries.flatMap(({ timeline }) => timeline),
      listings: entries.flatMap(({ listings }) => listings),
      webhooks: [...this.#byId.webhooks.values()],
      automations: [...this.#byId.automations.values()],
      automationKeys: [...this.#byId.automationKeys.values()],
      refusedValues: [...this.#refusedValues.values()],
      coupons: [...this.#byId.coupons.values()],
    };
  }

  /** Restores the result of `records()` into an empty state. */
  restore({ updated, ...tables }: Records): void {
    for (const card of tables.cards) this.#putCard(card);
    for (const place of updated) {
      const card = tables.cards[place] as CardRecord;
      this.#recency.touch(this.#entryOf(card.id), card.deletedAt !== null);
    }
    for (const table of Object.keys(tables) as (keyof Tables)[])
      if (table !== 'cards') for (const put of tables[table]) this.#put({ table, put } as Put);
  }

  #put(change: Put): void {
    switch (change.table) {
      case 'cards':
        this.#putCard(change.put);
        return;
      case 'adjustments': {
        const adjustment = change.put;
        this.#entryOf(adjustment.cardId).addAdjustment(adjustment);
        if (adjustment.uniqueAdjustmentId !== null) this.#adjustmentByUniqueId.set(adjustment.uniqueAdjustmentId, adjustment);
        return;
      }
      case 'timeline':
        this.#entryOf(change.put.cardId).addLine(change.put);
        return;
      case 'listings': {
        const entry = this.#entryOf(change.put.cardId);
        this.#bySource.put(entry, change.put, entry.putListing(change.put));
        return;
      }
      case 'refusedValues':
        this.#refusedValues.set(`${change.put.kind} ${change.put.value}`, change.put);
        return;
      default:
        (this.#byId[change.table] as Map<string, typeof change.put>).set(change.put.id, change.put);
    }
  }

  #putCard(card: CardRecord): void {
    let entry = this.#cards.get(card.id);
    const before = entry?.card;
    if (entry) entry.card = card;
    else {
      entry = new CardEntry(card);
      this.#cards.set(card.id, entry);
      this.#byIssue.add(entry);
    }
    if (card.code !== before?.code) this.#byCode.add(entry);
    if (card.uniqueId !== null && card.uniqueId !== before?.uniqueId) this.#byUniqueId.set(card.uniqueId, entry);
    const formerAddress = before?.recipientEmailAddress ?? null;
    if (card.recipientEmailAddress !== formerAddress) this.#byRecipient.move(entry, card.recipientEmailAddress, formerAddress);
    this.#recency.touch(entry, card.deletedAt !== null); // list.update-ties: of equal times, the later change comes first.
  }

  #entryOf(cardId: string): CardEntry {
    const entry = this.#cards.get(cardId);
    if (!entry) throw new Error(`There is no card ${cardId}.`);
    return entry;
  }

  card(id: string) {
    return this.#cards.get(id)?.card;
  }
  *cards() {
    for (const { card } of this.#cards.values()) yield card;
  }
  cardByCode(code: string, letterCase: LetterCase = 'exact') {
    return this.#byCode.get(code, letterCase)?.card;
  }
  cardsByRecipient(emailAddress: string) {
    return this.#recency.newestOf(this.#byRecipient.get(emailAddress), true).map(cardOf);
  }
  cardByUniqueId(uniqueId: string) {
    return this.#byUniqueId.get(uniqueId)?.card;
  }
  cardBySource(channelId: string, sourceId: string) {
    return this.#bySource.get(channelId, sourceId, this.#cards.values())?.card;
  }
  newest(position: number, length: number, includeDeleted: boolean) {
    return this.#recency.page(position, length, includeDeleted).map(cardOf);
  }
  issuedAfter(time: number, includeDeleted: boolean) {
    return this.#recency.newestOf(this.#byIssue.after(time), includeDeleted).map(cardOf);
  }
  count(includeDeleted: boolean) {
    return this.#recency.size(includeDeleted);
  }
  adjustmentByUniqueId(uniqueAdjustmentId: string) {
    return this.#adjustmentByUniqueId.get(uniqueAdjustmentId);
  }
  isUsedByRefusal(kind: UniqueKind, value: string) {
    return this.#refusedValues.has(`${kind} ${value}`);
  }
  adjustmentsOf(cardId: string) {
    return this.#cards.get(cardId)?.adjustments ?? NONE;
  }
  timelineOf(cardId: string) {
    return this.#cards.get(cardId)?.timeline ?? NONE;
  }
  webhook(id: string) {
    return this.#byId.webhooks.get(id);
  }
  webhooks() {
    return this.#byId.webhooks.values();
  }
  automations() {
    return this.#byId.automations.values();
  }
  hasAutomationRun(automationId: string, key: string) {
    return this.#byId.automationKeys.has(automationKey(automationId, key));
  }
  coupon(id: string) {
    return this.#byId.coupons.get(id);
  }
  coupons() {
    return this.#byId.coupons.values();
  }
  listing(channelId: string, cardId: string) {
    return this.listingsOf(cardId).find((listing) => listing.channelId === channelId);
  }
  listingsOf(cardId: string) {
    return this.#cards.get(cardId)?.listings ?? NONE;
  }
}

function cardOf({ card }: CardEntry): CardRecord {
  return card;
}
