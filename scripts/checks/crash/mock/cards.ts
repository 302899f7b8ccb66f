import type { Actor, Chance } from './actor.ts';
import { checkCard, checkJournal, repeatLostRequests } from './card-checks.ts';
import type { MockClient, MockResponse } from './client.ts';
import { effectsOf } from './effects.ts';
import { ACCOUNT, type BalanceChange, cardPathOf, type ExpectedCard, KEY } from './expected-card.ts';
import type { CountingReceiver } from './receiver.ts';

const RUNNERS = 8;
const PARALLEL_CHECKS = 50;
const RECIPIENT = { recipientName: 'Rita Recipient', recipientEmailAddress: 'rita@example.com', shouldSendNotification: true };

/** Thousands of requests at once would only show how long the last of them waits. */
async function someAtATime<T>(all: readonly T[], check: (one: T) => Promise<string[]>): Promise<string[]> {
  const violations: string[] = [];
  for (let index = 0; index < all.length; index += PARALLEL_CHECKS)
    violations.push(...(await Promise.all(all.slice(index, index + PARALLEL_CHECKS).map(check))).flat());
  return violations;
}

/** Clients that create, adjust, pay with, refund to and void the cards of one account in parallel. Three receivers get the deliveries. */
export class Cards implements Actor {
  readonly runners: Actor['runners'];
  readonly #chance: Chance;
  readonly #receiver: CountingReceiver;
  readonly #cards: ExpectedCard[] = [];
  /** Cards that had a request after the last check. */
  readonly #touched = new Set<ExpectedCard>();
  /** Unique values of the latest acknowledged requests, oldest first. */
  readonly #latest: string[] = [];
  readonly #problems: string[] = [];
  #made = 0;

  constructor(chance: Chance, receiver: CountingReceiver) {
    this.#chance = chance;
    this.#receiver = receiver;
    this.runners = Array.from({ length: RUNNERS }, () => (mock) => this.#run(mock));
  }

  async begin(mock: MockClient): Promise<void> {
    const webhooks = ['fast', 'slow', 'failing'].map((each) => ({ url: `${this.#receiver.url}/${ACCOUNT}/${each}` }));
    await mock.read('POST', '/__mock/accounts', { id: ACCOUNT, keys: [{ key: KEY, description: 'Shop' }], webhooks });
  }

  async check(mock: MockClient, kills: number, isLast: boolean): Promise<string[]> {
    if (isLast) for (const card of this.#cards) this.#touched.add(card);
    const violations = [...this.#problems.splice(0), ...(await checkJournal(mock, this.#latest.splice(0)))];
    const touched = [...this.#touched];
    const repeated = await someAtATime(touched, (card) => repeatLostRequests(mock, card));
    const effects = await effectsOf(mock, ACCOUNT, this.#receiver, kills);
    const checked = await someAtATime(touched, (card) => checkCard(mock, card, effects));
    this.#touched.clear();
    return [...violations, ...repeated, ...effects.violations, ...checked];
  }

  async #run(mock: MockClient): Promise<void> {
    while (!mock.isKilled) {
      const card = this.#chance.pick(this.#cards.slice(-20));
      const step = this.#chance.between(1, 100);
      if (step <= 30 || card?.id === undefined || card.voiding !== 'none') await this.#create(mock);
      else if (step <= 75) await this.#adjust(mock, card, card.id);
      else if (step <= 90) await this.#payOrRefund(mock, card);
      else if (step <= 95) await this.#void(mock, card);
      else await mock.sendRequest('GET', '/api/GiftCard/List?pageSize=50', undefined, KEY);
    }
  }

  async #create(mock: MockClient): Promise<void> {
    const name = ++this.#made;
    const isNotified = this.#chance.is(30);
    const request = { code: `CODE-${name}`, uniqueId: `create-${name}`, balance: this.#chance.between(10, 100) };
    const sent = { ...request, ...(isNotified ? RECIPIENT : {}) };
    const card: ExpectedCard = { request: sent, isNotified, id: undefined, changes: new Map(), voiding: 'none' };
    this.#cards.push(card);
    this.#touched.add(card);
    const response = await mock.sendRequest('POST', '/api/GiftCard/Create', sent, KEY);
    if (!response) return;
    card.id = response.body.id;
    this.#latest.push(request.uniqueId);
    if (response.status !== 200)
      this.#problems.push(`the create of ${request.code} returned ${response.status}: ${response.body}`);
  }

  async #adjust(mock: MockClient, card: ExpectedCard, id: string): Promise<void> {
    const name = `adjustment-${++this.#made}`;
    const isById = this.#chance.is(50);
    const adjustment = {
      ...(isById ? { giftCardId: id } : { giftCardCode: card.request.code }),
      adjustmentAmount: (this.#chance.is(60) ? -1 : 1) * this.#chance.between(1, 20),
      notes: name,
      actionedAtUtc: '2026-01-15T11:00:00Z',
      uniqueAdjustmentId: name,
    };
    const change = { amount: adjustment.adjustmentAmount, adjustment, isAcknowledged: false };
    const response = await this.#change(card, name, change, mock.sendRequest('POST', cardPathOf(adjustment), adjustment, KEY));
    if (response?.status === 200) this.#latest.push(name);
  }

  async #payOrRefund(mock: MockClient, card: ExpectedCard): Promise<void> {
    const name = `order-${++this.#made}`;
    const isPayment = this.#chance.is(70);
    const amount = this.#chance.between(1, 10);
    const path = `/__mock/accounts/${ACCOUNT}/cards/${card.request.code}/${isPayment ? 'payments' : 'refunds'}`;
    const change = { amount: isPayment ? -amount : amount, adjustment: undefined, isAcknowledged: false };
    await this.#change(card, name, change, mock.sendRequest('POST', path, { amount, notes: name }));
  }

  /** Remembers a change until it is refused. A refusal depends on parallel requests, such as a void. */
  async #change(card: ExpectedCard, name: string, change: BalanceChange, sent: Promise<MockResponse | undefined>) {
    card.changes.set(name, change);
    this.#touched.add(card);
    const response = await sent;
    if (response?.status === 200) change.isAcknowledged = true;
    else if (response) card.changes.delete(name);
    if (/already been created/.test(response?.body)) this.#problems.push(`${name} was sent once, and is refused as a repeat`);
    return response;
  }

  async #void(mock: MockClient, card: ExpectedCard): Promise<void> {
    card.voiding = 'sent';
    this.#touched.add(card);
    const response = await mock.sendRequest('DELETE', `/api/GiftCard/VoidByCode/${card.request.code}`, undefined, KEY);
    if (response?.status === 200) card.voiding = 'acknowledged';
    else if (response) this.#problems.push(`the void of ${card.request.code} returned ${response.status}`);
  }
}
