import fc, { type Arbitrary, type GeneratorValue } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Finding, type ObservedExchange, Oracle } from '../oracle/oracle.ts';
import { addToBalance, setVoided } from './reference-server/cards.ts';
import { faultNamed } from './reference-server/faults/faults.ts';
import { defaultOptions, type ReferenceOptions } from './reference-server/options.ts';
import type { ServerCard } from './reference-server/records.ts';
import { referenceServer, type ServerOptions } from './reference-server/server.ts';

/** Set TRAFFIC_RUNS=20000 TRAFFIC_SEED=7 to run other traffic. Set TRAFFIC_SEED and TRAFFIC_PATH of a failure to repeat the failure. */
const { TRAFFIC_RUNS: runs = '300', TRAFFIC_SEED: seed = '1', TRAFFIC_PATH: path } = process.env;

const anySettings = fc.record({ joinsAt: fc.constantFrom(0, 0, 0, 0, 1, 5, 10), isCalm: fc.constantFrom(false, false, true) });

describe('the oracle finds no violation in a lawful service', () => {
  test.each([
    ['while others act on the account', true],
    ['that only one client uses', false],
  ])(
    '%s',
    async (_, othersAct) => {
      const property = fc.asyncProperty(anyLawfulOptions, fc.gen(), anySettings, async (options, draw, settings) => {
        const oracle = new Oracle({ isOnlyClient: !othersAct });
        const { findings, log } = await findingsIn(options, draw, { oracle, othersAct, ...settings });
        // The gateway's 502 violates a robustness expectation, but not the specification.
        const violated = findings.filter(({ kind, rule }) => kind === 'violated' && !rule?.startsWith('robustness.'));
        if (violated.length > 0) throw new Error([...violated.map((each) => JSON.stringify(each)), ...log].join('\n'));
      });
      await fc.assert(property, { seed: Number(seed), numRuns: Number(runs), ...(path === undefined ? {} : { path }) });
    },
    600_000,
  );
});

/** The minimum share of runs in which the oracle names the rule of the fault. */
const shares: Readonly<Record<string, number>> = {
  'accepts a used code': 0.08,
  'accepts a used uniqueId': 0.06,
  'accepts a used uniqueAdjustmentId': 0.06,
  'allows overdraw by ID': 0.05,
  'ignores adjustments': 0.09,
  'keeps the balance of voided cards': 0.25,
  'hides voided cards from the list': 0.15,
  'lists the oldest update first': 0.12,
  'lists by time of issue': 0.03,
  'does not count an adjustment as an update': 0.02,
  'shows the oldest entry first': 0.04,
};

describe('the oracle names the rule of a fault', () => {
  test.each(Object.entries(shares))(
    '%s',
    async (name, share) => {
      const { rule, make } = faultNamed(name);
      const samples = fc.sample(fc.tuple(anyLawfulOptions, fc.gen()), { seed: 1, numRuns: 400 });
      let named = 0;
      for (const [options, draw] of samples) {
        const oracle = new Oracle({ isOnlyClient: true });
        const { findings } = await findingsIn({ ...options, hooks: make() }, draw, {
          oracle,
          othersAct: false,
          joinsAt: 0,
          isCalm: true,
        });
        if (findings.some((each) => each.kind === 'violated' && each.rule === rule)) named += 1;
      }
      expect(named / samples.length).toBeGreaterThan(share);
    },
    60_000,
  );
});

const either = fc.boolean();
const isoTime = (time: number) => new Date(time).toISOString();

/** Generates options of lawful services. In an adjustment by ID, the client uses the contract's name for the card's ID. */
const anyLawfulOptions: Arbitrary<Partial<ReferenceOptions>> = fc.record({
  idOf: fc.constant((serial: number) => `id-${serial}`),
  adjustedIdField: fc.constant('giftCardId'),
  tick: fc.constant(0),
  listedCard: fc.constantFrom<ReferenceOptions['listedCard']>(
    (_, view) => view,
    (_, view) => ({ giftCard: view }),
    ({ id, code, balance }) => ({ id, code, balance }),
  ),
  frees: fc.record({ voided: either, expired: either, deleted: either }),
  foldsNewCodes: either,
  foldsNames: either,
  findsDeleted: fc.record({ byCode: either, byId: either, changes: either }),
  pastExpiryStatus: fc.constantFrom(200, 400, 422),
  preciseAmountStatus: fc.constantFrom(400, 409, 422),
  adjustVoidedStatus: fc.constantFrom(200, 400, 409),
  adjustExpiredStatus: fc.constantFrom(200, 400, 422),
  overdrawStatus: fc.constantFrom(400, 409, 422),
  voidAgainStatus: fc.constantFrom(200, 400, 404, 409),
  refusesAsJson: either,
  checksRepeatFirst: either,
  refusedAdjustmentUsesId: either,
  forgetsUniqueValuesAfterDay: either,
  emptyIsRedeemed: either,
  expiryEmpties: either,
  expiresVoided: either,
  showsIssueTime: fc.constantFrom(true, true, false),
  formatTime: fc.constantFrom(isoTime, defaultOptions.formatTime),
  cardInHistory: fc.constantFrom<ReferenceOptions['cardInHistory']>('next to entries', 'around entries', 'in each'),
});

interface TrafficSettings {
  readonly oracle: Oracle;
  /** True if another client acts on the account. The observed client then has two keys. */
  readonly othersAct: boolean;
  /** The first step that the oracle observes. */
  readonly joinsAt: number;
  /** True if the requests are sent one after the other within a day, and each request gets a response. */
  readonly isCalm: boolean;
}

interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

type WireResponse = NonNullable<ObservedExchange['response']>;

/** Sends random traffic to a reference server. Returns the findings of the oracle, and a line for each exchange. */
async function findingsIn(options: ServerOptions, draw: GeneratorValue, settings: TrafficSettings) {
  const traffic = new Traffic(options, draw, settings);
  const steps = draw(fc.integer, { min: settings.isCalm ? 20 : 1, max: 25 });
  for (let index = 0; index < steps; index += 1) await traffic.step(index);
  return { findings: [...traffic.findings, ...settings.oracle.end()], log: traffic.log };
}

/** Simulates a client, and another client that acts on the same account. Draws random values when they are needed. */
class Traffic {
  readonly findings: Finding[] = [];
  readonly log: string[] = [];
  readonly #settings: TrafficSettings;
  readonly #draw: GeneratorValue;
  readonly #server: ReturnType<typeof referenceServer>;
  #now = Date.UTC(2026, 0, 1);
  /** Requests without a response that take effect later. */
  #late: { readonly at: number; readonly request: WireRequest }[] = [];
  #uniqueValues = 0;
  #adjusted: WireRequest | undefined;
  #isSeen = false;

  constructor(options: ServerOptions, draw: GeneratorValue, settings: TrafficSettings) {
    this.#settings = settings;
    this.#draw = draw;
    this.#server = referenceServer(options);
    this.#server.account.cards.length = 0;
  }

  /** Sends one request, or several requests at once. Simultaneous requests take effect in any order. */
  async step(index: number): Promise<void> {
    const { oracle, joinsAt, othersAct, isCalm } = this.#settings;
    const pauses = isCalm ? [100, 100, 2_000, 70_000] : [...new Array(6).fill(100), 9_000, 9_000, 70_000, 70_000, 90_000_000];
    this.#now += this.#oneOf(pauses);
    const joins = index === joinsAt && !othersAct;
    if (joins) this.#adjusted = undefined;
    this.#isSeen = index >= joinsAt;
    await this.#sendLate(joins ? Number.POSITIVE_INFINITY : this.#now);
    this.#server.setClock(this.#now);
    if (this.#isOnceIn(3)) this.#actOfOther();
    const positions = isCalm || !this.#isOnceIn(4) ? [0] : [0, 1, 2];
    const requests = positions.map(() => this.#request());
    const tickets = this.#isSeen ? requests.map(() => oracle.begin()) : [];
    const responses: (WireResponse | undefined)[] = [];
    for (const position of this.#draw(fc.shuffledSubarray, positions, { minLength: positions.length })) {
      const request = requests[position] as WireRequest;
      responses[position] = isCalm ? await this.#send(request) : await this.#sendDisturbed(request);
    }
    for (const [position, ticket] of tickets.entries()) {
      const { method, path, body } = requests[position] as WireRequest;
      const response = responses[position];
      const key = othersAct && this.#isOnceIn(10) ? 'key-2' : 'key-1';
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      this.log.push(
        `${this.#now} ${key} ${method} ${path} ${body} -> ${response ? `${response.status} ${response.body}` : 'lost'}`,
      );
      this.findings.push(...oracle.observe({ ticket, at: this.#now, ms: 1, method, target: path, headers, body, response }));
    }
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[this.#draw(anyIndex, values.length)] as T;
  }

  #isOnceIn(times: number): boolean {
    return this.#draw(anyIndex, times) === times - 1;
  }

  /** Sends a request whose response may be lost. The request then takes effect now, later or never, and a gateway may return 502. */
  async #sendDisturbed(request: WireRequest): Promise<WireResponse | undefined> {
    if (this.#isOnceIn(5)) this.#actOfOther();
    if (!this.#isOnceIn(10)) return this.#send(request);
    const after = this.#oneOf([0, 500, 15_000, 29_000, undefined, undefined]);
    if (after === 0) await this.#send(request);
    else if (after !== undefined) this.#late.push({ at: this.#now + after, request });
    return this.#isOnceIn(3) ? { status: 502, headers: { 'content-type': 'text/plain' }, body: 'Bad gateway' } : undefined;
  }

  async #sendLate(until: number): Promise<void> {
    const due = this.#late.filter(({ at }) => at <= until);
    this.#late = this.#late.filter(({ at }) => at > until);
    for (const { at, request } of due) {
      this.#server.setClock(Math.min(at, this.#now));
      await this.#send(request);
    }
  }

  async #send({ method, path, body }: WireRequest): Promise<WireResponse> {
    const headers = { 'x-api-key': this.#server.key };
    const request = new Request(`http://127.0.0.1${path}`, { method, headers, ...(body === '' ? {} : { body }) });
    const response = await this.#server.fetch(request);
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  }

  /** May change a card on the server directly, as if another client had done it. The oracle does not observe this change. */
  #actOfOther(): void {
    const { account } = this.#server;
    const { cards, service } = account;
    if (!this.#settings.othersAct || cards.length === 0) return;
    const card = this.#oneOf(cards);
    const action = this.#oneOf(['void', 'void', 'restore', 'restore', 'spend', 'spend', 'delete']);
    const isRival = ({ code, status, isDeleted }: ServerCard) =>
      status !== 'Voided' && !isDeleted && code.toLowerCase() === card.code.toLowerCase();
    if (action === 'void' && card.status !== 'Voided') setVoided(account, card);
    else if (action === 'delete') card.isDeleted = true;
    else if (action === 'spend') addToBalance(service, card, this.#oneOf([1, -1, 5]));
    else if (action === 'restore' && card.status === 'Voided' && !card.isDeleted && !cards.some(isRival)) card.status = 'Active';
  }

  #request(): WireRequest {
    const action = this.#oneOf(['create', 'create', 'adjust', 'adjust', 'void', 'get', 'get', 'history', 'list'] as const);
    const by = this.#oneOf(['Code', 'Id'] as const);
    const { cards } = this.#server.account;
    const card = cards.length === 0 ? undefined : this.#oneOf(cards.slice(0, 4));
    const name = String(by === 'Id' ? (card?.id ?? 'id-1') : (card?.code ?? 'a'));
    if (action === 'create') return this.#create();
    if (action === 'adjust') return this.#adjust(`giftCard${by}`, name, by);
    if (action === 'list') return this.#list(card);
    const { othersAct, joinsAt, isCalm } = this.#settings;
    const isUpper = !isCalm && (othersAct || joinsAt === 0) && this.#isOnceIn(8);
    const path = `/api/${paths[action]}${by}/${isUpper ? name.toUpperCase() : name}`;
    return { method: action === 'void' ? 'DELETE' : 'GET', path, body: '' };
  }

  #create(): WireRequest {
    const expiresIn = this.#isOnceIn(5) ? this.#oneOf([0, 100, 5_000, 40_000]) : undefined;
    return post('/api/GiftCard/Create', {
      code: this.#oneOf(['a', 'b', 'A', undefined]),
      uniqueId: this.#uniqueValue(),
      balance: this.#isOnceIn(11) ? tooPrecise : this.#oneOf([5, 2]),
      customField1: this.#oneOf([undefined, undefined, undefined, 'own-1', 'own-2']),
      expiresAtUtc: expiresIn === undefined ? undefined : isoTime(this.#now + expiresIn),
    });
  }

  /** Returns a new adjustment, or once in five times the previous adjustment. */
  #adjust(field: string, name: string, by: string): WireRequest {
    this.#uniqueValues += 1;
    const fresh = post(`/api/GiftCardAdjustment/AddAdjustmentByGiftCard${by}`, {
      [field]: name,
      adjustmentAmount: this.#oneOf([1, -1, 2, -3, -9, 5, tooPrecise]),
      actionedAtUtc: isoTime(this.#now - 3_600_000),
      uniqueAdjustmentId: this.#uniqueValue() ?? `own-${this.#uniqueValues}`,
    });
    this.#adjusted = this.#isOnceIn(5) ? (this.#adjusted ?? fresh) : fresh;
    return this.#adjusted;
  }

  #list(card: ServerCard | undefined): WireRequest {
    const query = new URLSearchParams({
      pageSize: this.#oneOf(['2', '50']),
      pageNumber: this.#oneOf(['0', '1']),
      ...(this.#isOnceIn(3) ? { includeAll: 'true' } : {}),
      ...(card && this.#isOnceIn(4) ? { since: isoTime(card.issuedAt) } : {}),
    });
    return { method: 'GET', path: `/api/GiftCard/List?${query}`, body: '' };
  }

  /** Returns a unique value or undefined. Unless another client acts, a value that the oracle does not see gets a prefix, so that no later request repeats the value. */
  #uniqueValue(): string | undefined {
    const value = this.#oneOf([undefined, undefined, undefined, undefined, 'u', 'v']);
    return value === undefined || this.#isSeen || this.#settings.othersAct ? value : `old-${value}`;
  }
}

const anyIndex = (length: number) => fc.noBias(fc.nat(length - 1));
const tooPrecise = 0.001;
const post = (path: string, body: unknown): WireRequest => ({ method: 'POST', path, body: JSON.stringify(body) });
const paths = {
  void: 'GiftCard/VoidBy',
  get: 'GiftCard/GetBy',
  history: 'GiftCardAdjustment/ListAdjustmentsByGiftCard',
} as const;
