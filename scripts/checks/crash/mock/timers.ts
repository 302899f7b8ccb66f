import type { Actor, Chance } from './actor.ts';
import { differences } from './card-checks.ts';
import type { MockClient } from './client.ts';
import { type ExpectedEffects, effectsOf } from './effects.ts';
import type { CountingReceiver } from './receiver.ts';

const DAY = 86_400_000;
const START = Date.UTC(2027, 0, 1);
/** Days after which the account of the frozen clock reminds the holders of unused cards. */
const REMINDER = 3;

interface TimedCard {
  readonly code: string;
  readonly kind: 'expiry' | 'gift';
  /** When the card expires, or when its gift is sent. */
  readonly due: number;
  isAcknowledged: boolean;
}

/** The effects of a due event. */
const EVENTS = {
  expiry: { topic: 'giftcard/expired', emails: 0, before: 'Active', after: 'Expired' },
  gift: { topic: 'giftcard/gifted', emails: 1, before: 'Active', after: 'Active' },
} as const;

const iso = (at: number) => new Date(at).toISOString();

/**
 * A client of an account whose clock is frozen, and then advanced, or runs by itself. Every event that is due at the time of the clock has happened
 * once, with its email and delivery, and no other event has happened.
 */
export class Timers implements Actor {
  readonly runners = [(mock: MockClient) => this.#run(mock)];
  readonly #id: string;
  readonly #isFrozen: boolean;
  readonly #chance: Chance;
  readonly #receiver: CountingReceiver;
  readonly #cards: TimedCard[] = [];
  readonly #problems: string[] = [];
  /** The clock was at least at this time. */
  #now = START;
  /** The time to which a request without a response advances the clock. */
  #next = START;
  #made = 0;

  constructor(mode: 'frozen' | 'running', chance: Chance, receiver: CountingReceiver) {
    this.#id = mode;
    this.#isFrozen = mode === 'frozen';
    this.#chance = chance;
    this.#receiver = receiver;
  }

  get #key(): string {
    return `key-of-${this.#id}`;
  }

  async begin(mock: MockClient): Promise<void> {
    const webhooks = [{ url: `${this.#receiver.url}/${this.#id}/fast` }];
    const keys = [{ key: this.#key, description: 'Own' }];
    await mock.read('POST', '/__mock/accounts', {
      id: this.#id,
      keys,
      webhooks,
      reminderAfterDays: this.#isFrozen ? REMINDER : null,
    });
    await mock.read('PUT', this.#path('/clock'), { mode: this.#id, at: iso(START) });
  }

  async check(mock: MockClient, kills: number): Promise<string[]> {
    // While a clock is frozen, no event becomes due between two requests of the check.
    const now = Date.parse((await mock.read('PUT', this.#path('/clock'), { mode: 'frozen' })).body.nowUtc);
    const violations = this.#problems.splice(0);
    const latest = this.#isFrozen ? this.#next : Number.POSITIVE_INFINITY;
    if (now < this.#now || now > latest)
      violations.push(`${this.#id}: the clock shows ${iso(now)}, and was at ${iso(this.#now)}`);
    this.#now = now;
    this.#next = now;
    const effects = await effectsOf(mock, this.#id, this.#receiver, kills);
    violations.push(...effects.violations);
    const found = await Promise.all(this.#cards.map((card) => this.#checkCard(mock, card, effects)));
    return [...violations, ...found.flat()];
  }

  async #run(mock: MockClient): Promise<void> {
    await mock.sendRequest('PUT', this.#path('/clock'), { mode: this.#id });
    while (!mock.isKilled) {
      if (this.#isFrozen && this.#chance.is(20)) await this.#advance(mock);
      else await this.#create(mock);
    }
  }

  async #advance(mock: MockClient): Promise<void> {
    this.#next = this.#now + this.#chance.between(1, 2 * DAY);
    const response = await mock.sendRequest('POST', this.#path('/clock/advance'), { to: iso(this.#next) });
    if (!response) return;
    if (response.status !== 200) this.#problems.push(`${this.#id}: an advance returned ${response.status}`);
    this.#now = this.#next;
  }

  async #create(mock: MockClient): Promise<void> {
    const code = `${this.#id}-${++this.#made}`.toUpperCase();
    const kind = this.#chance.is(50) ? 'expiry' : 'gift';
    const due = this.#now + (this.#isFrozen ? this.#chance.between(1, 6 * DAY) : this.#chance.between(100, 800));
    const card: TimedCard = { code, kind, due, isAcknowledged: false };
    const common = { code, uniqueId: code, balance: 20, recipientName: 'Rita', recipientEmailAddress: 'rita@example.com' };
    const gift = { buyerName: 'Ben', shouldSendNotification: true, sendAsGift: true, giftScheduledForUtc: iso(due) };
    const body = { ...common, ...(kind === 'gift' ? gift : { expiresAtUtc: iso(due) }) };
    this.#cards.push(card);
    const response = await mock.sendRequest('POST', '/api/GiftCard/Create', body, this.#key);
    if (!response) return;
    card.isAcknowledged = true;
    if (response.status !== 200) this.#problems.push(`${code}: the create returned ${response.status}: ${response.body}`);
    else if (!this.#isFrozen) this.#now = Math.max(this.#now, Date.parse(response.body.createdAtUtc));
  }

  /** Compares a card with the time of the clock. */
  async #checkCard(mock: MockClient, card: TimedCard, effects: ExpectedEffects): Promise<string[]> {
    const { code, kind, due, isAcknowledged } = card;
    const { status, body } = await mock.read('GET', `/api/GiftCard/GetByCode/${code}`, undefined, this.#key);
    if (status !== 200) {
      this.#cards.splice(this.#cards.indexOf(card), 1);
      return isAcknowledged ? [`${code}: the acknowledged card is missing`] : [];
    }
    card.isAcknowledged = true;
    const { topic, emails, before, after } = EVENTS[kind];
    const count = due <= this.#now ? 1 : 0;
    const reminders = this.#remindersOf(card, Date.parse(body.createdAtUtc));
    return differences(`${code}, due ${iso(due)}`, {
      status: [body.status, count > 0 ? after : before],
      [topic]: [effects.deliveries(body.id, topic), [count]],
      'gifted emails': [effects.emails(body.id, 'gifted'), count * emails],
      'giftcard/reminder': [effects.deliveries(body.id, 'giftcard/reminder'), [reminders]],
      'reminder emails': [effects.emails(body.id, 'reminder'), reminders],
    });
  }

  /** Returns the number of balance reminders so far. An unused card gets one reminder if it does not expire before. */
  #remindersOf({ kind, due }: TimedCard, createdAt: number): number {
    if (!this.#isFrozen) return 0;
    const at = createdAt + REMINDER * DAY;
    return at <= this.#now && !(kind === 'expiry' && due < at) ? 1 : 0;
  }

  #path(part: string): string {
    return `/__mock/accounts/${this.#id}${part}`;
  }
}
