import { ByIssue } from './by-issue.ts';
import { ByName, type LetterCase } from './by-name.ts';
import { ByRecipient } from './by-recipient.ts';
import { BySource } from './by-source.ts';
import { Holding, NONE, toCard } from './card-entry.ts';
import type { Change, Put, Records, Tables } from './change.ts';
import { Recency } from './recency.ts';
import {
  type AdjustmentRecord,
  type AutomationKeyRecord,
  type AutomationRecord,
  automationKey,
  type CardRecord,
  type CouponRecord,
  type ListingRecord,
  type RefusedValueRecord,
  type TimelineRecord,
  type UniqueKind,
  type WebhookRecord,
} from './records.ts';
import type { View } from './view.ts';

/**
 * The state of one account and its indexes, each named by its key. `apply` changes it, and cannot fail on what was decided from it; `restore` fills an
 * empty one. It knows of no other account (authentication.lists-own-records-only, gift-card.create.code-free-on-other-account, idempotency.create.checked-per-account,
 * idempotency.adjustment.checked-per-account).
 */
export class State implements View {
  #cards = new Map<string, Holding>();
  #lastSought = '';
  #lastFound: Holding | undefined;
  #byCode = new ByName<Holding>(({ card }) => card.code);
  #byUniqueId = new Map<string, Holding>();
  #byRecipient = new ByRecipient<Holding>();
  #bySource = new BySource<Holding>();
  #recency = new Recency<Holding>();
  #byIssue = new ByIssue<Holding>(({ card }) => card.createdAt);
  #adjustmentByUniqueId = new Map<string, AdjustmentRecord>();
  #refusedValues = { card: new Map<string, RefusedValueRecord>(), adjustment: new Map<string, RefusedValueRecord>() };
  #webhooks = new Map<string, WebhookRecord>();
  #automations = new Map<string, AutomationRecord>();
  #automationKeys = new Map<string, AutomationKeyRecord>();
  #coupons = new Map<string, CouponRecord>();

  apply(changes: readonly Change[]): void {
    for (const change of changes) {
      if ('put' in change) this.#put(change);
      else (change.table === 'webhooks' ? this.#webhooks : this.#coupons).delete(change.remove);
    }
  }

  /** What `restore` makes the same state of. */
  records(): Records {
    const holdings = [...this.#cards.values()];
    const places = new Map(holdings.map((holding, place) => [holding, place]));
    return {
      cards: holdings.map(toCard),
      updated: this.#recency
        .page(0, holdings.length, true)
        .reverse()
        .map((holding) => places.get(holding) as number),
      // In time, since the last one with a unique value is the one that counts.
      adjustments: holdings.flatMap(({ adjustments }) => adjustments).sort((one, other) => one.createdAt - other.createdAt),
      timeline: holdings.flatMap(({ timeline }) => timeline),
      listings: holdings.flatMap(({ listings }) => listings),
      webhooks: [...this.#webhooks.values()],
      automations: [...this.#automations.values()],
      automationKeys: [...this.#automationKeys.values()],
      refusedValues: [...this.#refusedValues.card.values(), ...this.#refusedValues.adjustment.values()],
      coupons: [...this.#coupons.values()],
    };
  }

  /** Puts back what `records` gave, into a state that holds nothing yet. */
  restore({ updated, ...tables }: Records): void {
    for (const card of tables.cards) this.#putCard(card);
    for (const place of updated) {
      const card = tables.cards[place] as CardRecord;
      this.#recency.touch(this.#held(card.id), card.deletedAt !== null);
    }
    // What hangs on cards comes after them, and nothing else cares.
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
        this.#held(adjustment.cardId).adjust(adjustment);
        if (adjustment.uniqueAdjustmentId !== null) this.#adjustmentByUniqueId.set(adjustment.uniqueAdjustmentId, adjustment);
        return;
      }
      case 'timeline':
        this.#held(change.put.cardId).tell(change.put);
        return;
      case 'listings': {
        const holding = this.#held(change.put.cardId);
        this.#bySource.put(holding, holding.list(change.put), change.put);
        return;
      }
      case 'webhooks':
        this.#webhooks.set(change.put.id, change.put);
        return;
      case 'automations':
        this.#automations.set(change.put.id, change.put);
        return;
      case 'automationKeys':
        this.#automationKeys.set(change.put.id, change.put);
        return;
      case 'refusedValues':
        this.#refusedValues[change.put.kind].set(change.put.value, change.put);
        return;
      case 'coupons':
        this.#coupons.set(change.put.id, change.put);
        return;
    }
  }

  #putCard(card: CardRecord): void {
    let holding = this.#holding(card.id);
    const before = holding?.card;
    if (holding) holding.card = card;
    else {
      holding = new Holding(card);
      this.#cards.set(card.id, holding);
      this.#lastSought = card.id;
      this.#lastFound = holding;
      this.#byIssue.add(holding);
    }
    if (card.code !== before?.code) this.#byCode.put(holding);
    if (card.uniqueId !== null && card.uniqueId !== before?.uniqueId) this.#byUniqueId.set(card.uniqueId, holding);
    const formerAddress = before?.recipientEmailAddress ?? null;
    if (card.recipientEmailAddress !== formerAddress) this.#byRecipient.put(holding, card.recipientEmailAddress, formerAddress);
    this.#recency.touch(holding, card.deletedAt !== null); // list.update-ties: the later change is the first of one moment.
  }

  /** A change is about one card, which is looked for many times on its way. */
  #holding(cardId: string): Holding | undefined {
    if (cardId !== this.#lastSought) {
      this.#lastSought = cardId;
      this.#lastFound = this.#cards.get(cardId);
    }
    return this.#lastFound;
  }

  /** What hangs on a card is put after the card itself. */
  #held(cardId: string): Holding {
    const holding = this.#holding(cardId);
    if (!holding) throw new Error(`There is no card ${cardId} to put something on.`);
    return holding;
  }

  card(id: string) {
    return this.#holding(id)?.card;
  }
  *cards() {
    for (const { card } of this.#cards.values()) yield card;
  }
  cardByCode(code: string, letterCase: LetterCase = 'exact') {
    return this.#byCode.get(code, letterCase)?.card;
  }
  cardsByRecipient(emailAddress: string) {
    return this.#recency.newestOf(this.#byRecipient.get(emailAddress), true).map(toCard);
  }
  cardByUniqueId(uniqueId: string) {
    return this.#byUniqueId.get(uniqueId)?.card;
  }
  cardBySource(channelId: string, sourceId: string) {
    return this.#bySource.get(channelId, sourceId, this.#cards.values())?.card;
  }
  newest(position: number, length: number, includeDeleted: boolean) {
    return this.#recency.page(position, length, includeDeleted).map(toCard);
  }
  issuedAfter(moment: number, includeDeleted: boolean) {
    return this.#recency.newestOf(this.#byIssue.after(moment), includeDeleted).map(toCard);
  }
  count(includeDeleted: boolean) {
    return this.#recency.size(includeDeleted);
  }
  adjustmentByUniqueId(uniqueAdjustmentId: string) {
    return this.#adjustmentByUniqueId.get(uniqueAdjustmentId);
  }
  isUsedByRefusal(kind: UniqueKind, value: string) {
    return this.#refusedValues[kind].has(value);
  }
  adjustmentsOf(cardId: string): readonly AdjustmentRecord[] {
    return this.#holding(cardId)?.adjustments ?? NONE;
  }
  timelineOf(cardId: string): readonly TimelineRecord[] {
    return this.#holding(cardId)?.timeline ?? NONE;
  }
  webhook(id: string) {
    return this.#webhooks.get(id);
  }
  webhooks() {
    return this.#webhooks.values();
  }
  automations() {
    return this.#automations.values();
  }
  hasAutomationRun(automationId: string, key: string) {
    return this.#automationKeys.has(automationKey(automationId, key));
  }
  coupon(id: string) {
    return this.#coupons.get(id);
  }
  coupons() {
    return this.#coupons.values();
  }
  listing(channelId: string, cardId: string) {
    return this.listingsOf(cardId).find((listing) => listing.channelId === channelId);
  }
  listingsOf(cardId: string): readonly ListingRecord[] {
    return this.#holding(cardId)?.listings ?? NONE;
  }
}
