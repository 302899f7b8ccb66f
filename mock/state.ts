import { ByIssue } from './by-issue.ts';
import { listingId } from './listing.ts';
import { Recency } from './recency.ts';
import {
  type AdjustmentRecord,
  type AutomationKeyRecord,
  type AutomationRecord,
  automationKey,
  type CardRecord,
  type CouponRecord,
  type ListingRecord,
  type TimelineRecord,
  type WebhookRecord,
} from './records.ts';

interface Tables {
  cards: CardRecord;
  adjustments: AdjustmentRecord;
  webhooks: WebhookRecord;
  automations: AutomationRecord;
  automationKeys: AutomationKeyRecord;
  coupons: CouponRecord;
  listings: ListingRecord;
  timeline: TimelineRecord;
}

type Put = { [T in keyof Tables]: { readonly table: T; readonly put: Tables[T] } }[keyof Tables];

/** Only what the service can forget has a way out: cards are marked as deleted, adjustments stay for ever. */
interface Removal {
  readonly table: 'webhooks' | 'coupons';
  readonly remove: string;
}

/** A change is a value: put a record in the place of the one with its id (or as a new one), or remove it. */
export type Change = Put | Removal;

/** What the domain may see of an account's state: look-ups, no way to write. */
export interface View {
  card(id: string): CardRecord | undefined;
  /** The card with this code in any letter case, deleted ones too (the code stays taken). */
  cardByCode(code: string): CardRecord | undefined;
  /** In any letter case, the last updated first. */
  cardsByRecipient(emailAddress: string): readonly CardRecord[];
  cardByUniqueId(uniqueId: string): CardRecord | undefined;
  cardBySource(channelId: string, sourceId: string): CardRecord | undefined;
  /** Cards by their last update, the latest first; deleted ones only when asked for. */
  newest(position: number, includeDeleted: boolean): CardRecord | undefined;
  count(includeDeleted: boolean): number;
  /** Cards issued strictly after `moment`, the last updated first; deleted ones only when asked for. It costs as much as there are. */
  issuedAfter(moment: number, includeDeleted: boolean): readonly CardRecord[];
  adjustmentByUniqueId(uniqueAdjustmentId: string): AdjustmentRecord | undefined;
  /** In the order in which they were recorded. */
  adjustmentsOf(cardId: string): readonly AdjustmentRecord[];
  timelineOf(cardId: string): readonly TimelineRecord[];
  webhook(id: string): WebhookRecord | undefined;
  webhooks(): Iterable<WebhookRecord>;
  automations(): Iterable<AutomationRecord>;
  automationRan(automationId: string, key: string): boolean;
  coupon(id: string): CouponRecord | undefined;
  coupons(): Iterable<CouponRecord>;
  listing(channelId: string, cardId: string): ListingRecord | undefined;
  listings(): Iterable<ListingRecord>;
}

/**
 * The state of one account and its indexes, each named by its key. `apply` is the only way to change it and cannot fail. It knows of no other
 * account (authentication.lists-own-records-only, gift-card.create.code-free-on-other-account, idempotency.create.checked-per-account,
 * idempotency.adjustment.checked-per-account).
 */
export class State implements View {
  #cards = new Map<string, CardRecord>();
  #cardIdByCode = new Map<string, string>();
  #cardIdByUniqueId = new Map<string, string>();
  #cardIdsByRecipient = new Map<string, Set<string>>();
  #undeleted = new Recency();
  #all = new Recency();
  #byIssue = new ByIssue();
  #adjustmentByUniqueId = new Map<string, AdjustmentRecord>();
  #adjustmentsByCard = new Map<string, AdjustmentRecord[]>();
  #timelineByCard = new Map<string, TimelineRecord[]>();
  #webhooks = new Map<string, WebhookRecord>();
  #automations = new Map<string, AutomationRecord>();
  #automationKeys = new Map<string, AutomationKeyRecord>();
  #coupons = new Map<string, CouponRecord>();
  #listings = new Map<string, ListingRecord>();
  #cardIdBySource = new Map<string, string>();

  apply(changes: readonly Change[]): void {
    for (const change of changes) {
      if ('put' in change) this.#put(change);
      else (change.table === 'webhooks' ? this.#webhooks : this.#coupons).delete(change.remove);
    }
  }

  #put(change: Put): void {
    switch (change.table) {
      case 'cards':
        this.#putCard(change.put);
        return;
      case 'adjustments': {
        const adjustment = change.put;
        append(this.#adjustmentsByCard, adjustment.cardId, adjustment);
        if (adjustment.uniqueAdjustmentId !== null) this.#adjustmentByUniqueId.set(adjustment.uniqueAdjustmentId, adjustment);
        return;
      }
      case 'timeline':
        append(this.#timelineByCard, change.put.cardId, change.put);
        return;
      case 'listings':
        this.#listings.set(change.put.id, change.put);
        // A card that the channel does not have has no ID there to be found by.
        if (change.put.state === 'synced')
          this.#cardIdBySource.set(`${change.put.channelId}\n${change.put.sourceId}`, change.put.cardId);
        return;
      case 'webhooks':
        this.#webhooks.set(change.put.id, change.put);
        return;
      case 'automations':
        this.#automations.set(change.put.id, change.put);
        return;
      case 'automationKeys':
        this.#automationKeys.set(change.put.id, change.put);
        return;
      case 'coupons':
        this.#coupons.set(change.put.id, change.put);
        return;
    }
  }

  #putCard(card: CardRecord): void {
    const before = this.#cards.get(card.id);
    this.#cards.set(card.id, card);
    this.#cardIdByCode.set(card.code.toLowerCase(), card.id);
    if (card.uniqueId !== null) this.#cardIdByUniqueId.set(card.uniqueId, card.id);
    const [was, is] = [before?.recipientEmailAddress?.toLowerCase(), card.recipientEmailAddress?.toLowerCase()];
    if (was !== is) {
      if (was !== undefined) this.#cardIdsByRecipient.get(was)?.delete(card.id);
      if (is !== undefined) {
        const ids = this.#cardIdsByRecipient.get(is);
        if (ids) ids.add(card.id);
        else this.#cardIdsByRecipient.set(is, new Set([card.id]));
      }
    }
    if (!before) this.#byIssue.add(card.id, card.createdAt);
    this.#all.touch(card.id); // list.update-ties: the later change is the first of one moment.
    if (card.deletedAt === null) this.#undeleted.touch(card.id);
    else this.#undeleted.remove(card.id);
  }

  card(id: string) {
    return this.#cards.get(id);
  }
  cardByCode(code: string) {
    return this.#cards.get(this.#cardIdByCode.get(code.toLowerCase()) ?? '');
  }
  cardsByRecipient(emailAddress: string) {
    const ids = this.#cardIdsByRecipient.get(emailAddress.toLowerCase()) ?? [];
    return this.#all.newestOf(ids).map((id) => this.#cards.get(id) as CardRecord);
  }
  cardByUniqueId(uniqueId: string) {
    return this.#cards.get(this.#cardIdByUniqueId.get(uniqueId) ?? '');
  }
  cardBySource(channelId: string, sourceId: string) {
    return this.#cards.get(this.#cardIdBySource.get(`${channelId}\n${sourceId}`) ?? '');
  }
  newest(position: number, includeDeleted: boolean) {
    const id = (includeDeleted ? this.#all : this.#undeleted).at(position);
    return id === undefined ? undefined : this.#cards.get(id);
  }
  issuedAfter(moment: number, includeDeleted: boolean) {
    const latestFirst = (includeDeleted ? this.#all : this.#undeleted).newestOf(this.#byIssue.after(moment));
    return latestFirst.map((id) => this.#cards.get(id) as CardRecord);
  }
  count(includeDeleted: boolean) {
    return (includeDeleted ? this.#all : this.#undeleted).size;
  }
  adjustmentByUniqueId(uniqueAdjustmentId: string) {
    return this.#adjustmentByUniqueId.get(uniqueAdjustmentId);
  }
  adjustmentsOf(cardId: string): readonly AdjustmentRecord[] {
    return this.#adjustmentsByCard.get(cardId) ?? [];
  }
  timelineOf(cardId: string): readonly TimelineRecord[] {
    return this.#timelineByCard.get(cardId) ?? [];
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
  automationRan(automationId: string, key: string) {
    return this.#automationKeys.has(automationKey(automationId, key));
  }
  coupon(id: string) {
    return this.#coupons.get(id);
  }
  coupons() {
    return this.#coupons.values();
  }
  listing(channelId: string, cardId: string) {
    return this.#listings.get(listingId(channelId, cardId));
  }
  listings() {
    return this.#listings.values();
  }
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
