import { card as shownAs } from '../exchanges-fixture.ts';
import type { Fault } from './faults-fixture.ts';
import { historyOf } from './histories-fixture.ts';
import {
  type Adjusting,
  type Answer,
  type By,
  type Card,
  type Creating,
  type Entry,
  type Listing,
  tooPrecise,
} from './records-fixture.ts';
import type { Ways } from './ways-fixture.ts';

const DAY = 86_400_000;
const fold = (text: string) => text.toLowerCase();
const missing: Answer = { status: 404 };
const rejected: Answer = { status: 400 };

/** A service that keeps the specification and does everything else in ways of its own; or keeps it with one fault. */
export class LawfulService {
  readonly cards: Card[] = [];
  /** By its clock, in milliseconds. */
  now: number;
  readonly #ways: Ways;
  readonly #fault: Fault | undefined;
  readonly #uniqueIds = new Map<string, { readonly card: Card; readonly at: number }>();
  readonly #adjustments = new Map<string, number>();
  readonly #later: { readonly at: number; readonly card: Card }[] = [];
  #ids = 0;
  #updates = 0;

  constructor(ways: Ways, now: number, fault?: Fault) {
    this.#ways = ways;
    this.now = now;
    this.#fault = fault;
  }

  /** What is due by then happens. */
  passTo(now: number): void {
    this.now = now;
    for (const { at, card } of this.#later.splice(0)) {
      if (at > now) this.#later.push({ at, card });
      else this.#touch(card);
    }
    for (const card of this.cards) if (card.expiresAt !== undefined && card.expiresAt <= now) this.#expire(card);
  }

  create(asked: Creating): Answer {
    const { balance, code, uniqueId, expiresAtUtc, customField1 } = asked;
    const { refuses, takesPastExpiry, foldsTaken, codeIsFreeOf, uniqueIdIsFreeOf } = this.#ways;
    if (balance === tooPrecise) return this.#otherwise(refuses.amount);
    const expiresAt = expiresAtUtc === undefined ? undefined : Date.parse(expiresAtUtc);
    if (expiresAt !== undefined && expiresAt <= this.now && !takesPastExpiry) return this.#otherwise(refuses.expiry);
    const isSame = (one: string, other: string) => (foldsTaken ? fold(one) === fold(other) : one === other);
    const isTaken = code !== undefined && this.cards.some((card) => isSame(card.code, code) && !isFree(card, codeIsFreeOf));
    if (isTaken && this.#fault !== 'gives taken codes') return rejected;
    const used = uniqueId === undefined ? undefined : this.#uniqueIds.get(uniqueId);
    const isRepeat = used && this.#isRemembered(used.at) && !isFree(used.card, uniqueIdIsFreeOf);
    if (isRepeat && this.#fault !== 'creates twice') return rejected;
    this.#ids += 1;
    const card: Card = {
      ...{ id: `id-${this.#ids}`, code: code ?? `made-${this.#ids}`, customField1, issuedAt: this.now, expiresAt },
      ...{ balance, status: 'Active', held: balance, isDeleted: false, entries: [], updated: 0 },
    };
    if (this.#ways.books.issue) this.#book(card, 'issue', balance);
    this.cards.push(card);
    this.#update(card);
    if (uniqueId !== undefined) this.#uniqueIds.set(uniqueId, { card, at: this.now });
    return { status: 200, told: this.#shown(card) };
  }

  adjust(asked: Adjusting): Answer {
    const { adjustmentAmount: amount, notes, actionedAtUtc, uniqueAdjustmentId: unique } = asked;
    if (amount === tooPrecise) return this.#otherwise(this.#ways.refuses.amount);
    const used = this.#adjustments.get(unique);
    const isRepeat = used !== undefined && this.#isRemembered(used) && this.#fault !== 'adjusts twice';
    if (isRepeat && this.#ways.tellsRepeatFirst) return rejected;
    const byId = asked.giftCardId !== undefined;
    const card = this.#moved(byId ? 'ID' : 'code', asked.giftCardId ?? asked.giftCardCode ?? '');
    const refused = this.#refusalOf(card, byId, amount);
    if (refused) {
      if (this.#ways.refusedIsUsedUp) this.#adjustments.set(unique, this.now);
      return refused;
    }
    if (isRepeat) return rejected;
    this.#adjustments.set(unique, this.now);
    if (card && this.#fault !== 'takes and does nothing') {
      this.#add(card, amount);
      this.#book(card, 'adjustment', amount, Date.parse(actionedAtUtc), notes);
      this.#update(card);
    }
    return { status: 200, told: true };
  }

  void(by: By, name: string): Answer {
    const card = this.#moved(by, name);
    if (!card) return missing;
    if (card.status === 'Voided') return { status: this.#ways.voidedAgain };
    this.voidCard(card);
    return { status: 200 };
  }

  look(by: By, name: string): Answer {
    const card = this.#found(by, name);
    return card ? { status: 200, told: this.#shown(card) } : missing;
  }

  history(by: By, name: string): Answer {
    const card = this.#found(by, name);
    return card ? { status: 200, told: historyOf(card, this.#shown(card), this.#ways.history) } : missing;
  }

  list({ pageSize, pageNumber, includeAll, since }: Listing): Answer {
    const { cards, behindLast, countsDeleted } = this.#ways.list;
    const after = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
    const all = this.cards.filter((card) => card.issuedAt > after);
    const those = all
      .filter((card) => includeAll === 'true' || !card.isDeleted)
      .filter((card) => this.#fault !== 'lists no voided cards' || card.status !== 'Voided')
      .sort((one, other) => other.updated - one.updated);
    const size = Number(pageSize);
    const last = Math.max(0, Math.ceil(those.length / size) - 1);
    const asked = Number(pageNumber);
    const page = asked <= last || behindLast === 'nothing' ? asked : behindLast === 'first' ? 0 : last;
    const shown = those.slice(page * size, (page + 1) * size).map((card) => {
      const whole = this.#shown(card);
      if (cards === 'wrapped') return { giftCard: whole };
      return cards === 'brief' ? { id: card.id, code: card.code, balance: card.balance } : whole;
    });
    return { status: 200, told: { giftCards: shown, totalCount: countsDeleted ? all.length : those.length } };
  }

  /** As the dashboard does it, too. */
  voidCard(card: Card): void {
    card.held = card.balance;
    if (this.#ways.books.voiding) this.#book(card, 'void', -card.balance);
    if (this.#fault !== 'leaves the balance of voided cards') card.balance = 0;
    card.status = 'Voided';
    this.#update(card);
  }

  /** In the dashboard, which can do that where nothing else has the code. */
  revive(card: Card): void {
    const isFree = this.cards.every(
      (other) => other === card || other.isDeleted || other.status === 'Voided' || fold(other.code) !== fold(card.code),
    );
    if (card.status !== 'Voided' || card.isDeleted || !isFree) return;
    card.status = 'Active';
    this.#add(card, card.held);
    this.#update(card);
  }

  /** In an order, or by another client. */
  spend(card: Card, amount: number, notes: string): void {
    this.#add(card, amount);
    this.#book(card, 'adjustment', amount, this.now - DAY, notes);
    this.#update(card);
  }

  #refusalOf(card: Card | undefined, byId: boolean, amount: number): Answer | undefined {
    if (!card) return missing;
    const { adjusts, overdraws } = this.#ways;
    const status = card.status === 'Voided' ? adjusts.voided : card.status === 'Expired' ? adjusts.expired : 200;
    if (status !== 200) return { status };
    const isTooMuch = byId && amount < 0 && card.balance + amount < 0;
    return isTooMuch && this.#fault !== 'overdraws by ID' ? { status: overdraws } : undefined;
  }

  #add(card: Card, amount: number): void {
    card.balance += amount;
    if (card.status === 'Active' || card.status === 'Redeemed')
      card.status = this.#ways.emptyIsRedeemed && card.balance <= 0 ? 'Redeemed' : 'Active';
  }

  #expire(card: Card): void {
    if (card.status === 'Expired' || (card.status === 'Voided' && !this.#ways.expiresVoided)) return;
    card.status = 'Expired';
    if (this.#ways.books.expiry) this.#book(card, 'expiry', -card.balance);
    if (this.#ways.expiryEmpties) card.balance = 0;
    this.#update(card);
  }

  #book(card: Card, type: Entry['type'], amount: number, at = this.now, notes?: string): void {
    card.entries.push({ amount, type, at, booked: this.now, ...(notes === undefined ? {} : { notes }) });
  }

  #update(card: Card): void {
    this.#touch(card);
    if (this.#ways.updatesLater > 0) this.#later.push({ at: this.now + this.#ways.updatesLater, card });
  }

  #touch(card: Card): void {
    this.#updates += 1;
    card.updated = this.#updates;
  }

  #found(by: By, name: string): Card | undefined {
    const { findsDeleted, codeLeadsTo, foldsNames } = this.#ways;
    if (by === 'ID') {
      const card = this.cards.find(({ id }) => id === name || (foldsNames && fold(id) === fold(name)));
      return card?.isDeleted && !findsDeleted.byId ? undefined : card;
    }
    const those = this.cards.filter((card) => card.code === name && !card.isDeleted);
    const isInUse = ({ status }: Card) => status !== 'Voided' && status !== 'Expired';
    const inUse = codeLeadsTo === 'one in use' ? those.findLast(isInUse) : undefined;
    const deleted = findsDeleted.byCode ? this.cards.findLast((card) => card.code === name) : undefined;
    return inUse ?? those.at(-1) ?? deleted;
  }

  #moved(by: By, name: string): Card | undefined {
    const { findsDeleted, foldsNames } = this.#ways;
    const loose = foldsNames ? this.cards.findLast((each) => fold(each.code) === fold(name)) : undefined;
    const card = this.#found(by, name) ?? (by === 'code' ? loose : undefined);
    return card?.isDeleted && !findsDeleted.moves ? undefined : card;
  }

  #shown({ id, code, balance, status, customField1, issuedAt }: Card): Record<string, unknown> {
    const { issued } = this.#ways;
    const issue = new Date(issuedAt).toISOString().replace('Z', issued ?? '');
    return {
      ...shownAs(code, balance, status),
      ...{ id, customField1: customField1 ?? null },
      ...(issued === undefined ? {} : { createdAtUtc: issue }),
    };
  }

  #isRemembered(at: number): boolean {
    return !this.#ways.forgetsAfterDay || this.now - at < DAY;
  }

  #otherwise(status: number): Answer {
    return this.#ways.refuses.asJson ? { status, told: { errors: { field: ['is no good'] } } } : { status };
  }
}

function isFree({ isDeleted, status }: Card, free: Ways['codeIsFreeOf']): boolean {
  return (isDeleted && free.deleted) || (status === 'Voided' && free.voided) || (status === 'Expired' && free.expired);
}
