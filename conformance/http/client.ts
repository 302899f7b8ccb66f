import { isLocal, type Target } from '../core/target.ts';
import { TransportError, Untested } from '../core/verdict.ts';
import { Gate } from '../safety/gate.ts';
import { AccountFormat } from './account-format.ts';
import type { Answer, Ask, Exchange, ExchangeObserver, Outside, RawExchange } from './exchange.ts';
import { parseJson } from './json-search.ts';
import { Rate, realTime, type Waiting } from './rate.ts';
import { redactAnswerHeaders, redactExchange, visiblePath } from './redact-exchange.ts';
import type { Redactor } from './redactor.ts';
import { describeNetworkError, isCut, type Received, type Sent, Transport } from './transport.ts';

/** Milliseconds between retries. The rate limit is per minute: after more than a minute in all, further retries are pointless. */
const RETRY_DELAYS = [1_000, 4_000, 10_000, 20_000, 30_000];

/** Sends requests below a rate, and keeps every exchange with secrets masked. */
export class Client {
  readonly exchanges: Exchange[] = [];
  /** The headers of each answer by lower-case name, secrets masked. */
  readonly headers = new WeakMap<Exchange, Readonly<Record<string, string>>>();
  #first: string | undefined;
  #differed = false;
  readonly #gate: Gate;
  readonly #target: Target;
  readonly #redactor: Redactor;
  readonly #time: Waiting;
  readonly #transport: Transport;
  /** The requests that clean up. */
  readonly cleaned: Exchange[] = [];
  /** Limits the rate of all requests to the target. */
  readonly rate: Rate;
  /** Milliseconds after which the service has carried out a request without an answer, if it ever does. */
  readonly lateAfter: number;
  /** Called for every exchange, clean-up and requests outside of the service included, with its answer or without one. */
  observer: ExchangeObserver | undefined;
  /** Empties the rate window through the target's clock, in place of the first wait of a clean-up request after 429. */
  emptyRateWindow: (() => Promise<void>) | undefined;
  readonly #dialects = new Map<string, AccountFormat>();
  readonly #changing = new Set<Promise<unknown>>();
  #limited = false;
  #cleaningLimited = false;

  constructor(
    target: Target,
    redactor: Redactor,
    time: Waiting = realTime,
    gate = new Gate(),
    rate = new Rate(target.ratePerMinute, time),
  ) {
    this.#gate = gate;
    this.#target = target;
    this.#redactor = redactor;
    this.#time = time;
    this.#transport = new Transport(target.fetch);
    this.rate = rate;
    this.lateAfter = target.lateAfter ?? (target.fetch ? 0 : isLocal(target.url) ? 1_000 : 60_000);
  }

  /**
   * Throws TransportError when no answer comes, or when `unwanted` turns true before the request is sent;
   * Untested `rate-limited` when only 429 comes for over a minute, and where the policy of the run does not allow the request.
   */
  async send(ask: Ask, unwanted: () => boolean = () => false): Promise<Answer> {
    if (ask.burst) return this.#sendAtOnce(ask, unwanted);
    if (this.#limited && !ask.cleaning) throw rateLimited();
    // Cleanup requests are retried, because cards are money. After the first that gets only 429, each is sent once.
    const waits = this.#cleaningLimited ? [] : RETRY_DELAYS;
    for (const wait of [...waits, undefined]) {
      await this.rate.turn(unwanted);
      const answer = await this.#trackChange(ask.method, this.#sendIfAllowed(ask));
      if (answer.status !== 429) {
        this.#limited = false;
        this.#cleaningLimited = false;
        return answer;
      }
      if (ask.cleaning && this.emptyRateWindow && wait === waits[0]) await this.emptyRateWindow();
      else if (wait !== undefined) await this.rate.wait(wait, 'limit');
    }
    this.#limited = true;
    this.#cleaningLimited = ask.cleaning === true;
    throw rateLimited();
  }

  async #sendAtOnce(ask: Ask, unwanted: () => boolean): Promise<Answer> {
    this.rate.leave(unwanted);
    return this.#trackChange(ask.method, this.#sendIfAllowed(ask));
  }

  /** Waits for time to pass at the target; deadlines of checks do not count it. */
  async rest(ms: number): Promise<void> {
    await this.rate.wait(ms, 'rest');
  }

  /** Waits for work of the target; deadlines of checks do not count it. */
  patiently<T>(work: () => Promise<T>): Promise<T> {
    return this.rate.during(work);
  }

  /** Milliseconds spent waiting for time to pass, for the rate, or for slow answers. */
  get waited(): number {
    return this.rate.waited;
  }

  get waiting(): boolean {
    return this.rate.waiting;
  }

  /** Resolves once every changing request has its answer, so that everything it created can be cleaned up. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#changing);
    // The senders handle their answers first.
    await new Promise((done) => setImmediate(done));
  }

  /** Whether the budget has no room for it until refused creates have been looked up. */
  isShortOf(ask: Ask): boolean {
    return this.#gate.isShortOf(ask);
  }

  peakPerMinute(): number {
    return this.rate.peakPerMinute;
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  async #trackChange(method: Ask['method'], sending: Promise<Answer>): Promise<Answer> {
    if (method === 'GET') return sending;
    this.#changing.add(sending);
    try {
      return await sending;
    } finally {
      this.#changing.delete(sending);
    }
  }

  /** Sends a request that is not one of the service, such as moving its clock. `/path` is below the target's URL. The rate limit does not count it. */
  async outside({ method, url, headers = {}, body }: Outside): Promise<Answer> {
    this.#gate.admitOutside();
    const under = url.startsWith('/')
      ? url
      : url.startsWith(`${this.#target.url}/`)
        ? url.slice(this.#target.url.length)
        : undefined;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const all = { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
    const [base, path] =
      under === undefined ? [new URL(url).origin, url.slice(new URL(url).origin.length)] : [this.#target.url, under];
    return this.#exchange({ base, own: under !== undefined, odd: false, outside: true, method, path, headers: all, text });
  }

  /** Every request of the service passes here, and only if the policy of the run allows it. */
  async #sendIfAllowed(ask: Ask): Promise<Answer> {
    const answered = this.#gate.admit(ask);
    const answer = await this.#sendOnce(ask);
    answered(answer);
    if (ask.cleaning) this.cleaned.push(answer.exchange);
    return answer;
  }

  async #sendOnce(ask: Ask): Promise<Answer> {
    const dialect = this.formatOf(ask.key);
    const path = ask.path + dialect.encode(queryText(ask.query));
    const headers: Record<string, string> = { accept: '*/*', ...ask.headers };
    const key = ask.key === undefined ? this.#target.key : ask.key;
    if (key !== null) headers['x-api-key'] = key;
    const own = ask.text ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
    const text = own && dialect.encode(own);
    if (text !== undefined && ask.contentType !== null) headers['content-type'] = ask.contentType ?? 'application/json';
    const { method, odd = false } = ask;
    const answer = await this.#exchange({ base: this.#target.url, own: true, odd, method, path, headers, text });
    return { ...answer, json: dialect.decode(answer.json) };
  }

  /** How amounts and addresses are written for the account of a key; default: the target's key. */
  formatOf(key: string | null = this.#target.key): AccountFormat {
    const known = this.#dialects.get(key ?? '') ?? new AccountFormat(this.#target.profile.recipientDomain);
    this.#dialects.set(key ?? '', known);
    return known;
  }

  async #exchange(sent: Sent): Promise<Answer> {
    const at = new Date().toISOString();
    const start = this.#time.now();
    const observed = this.#observerOf(sent, Date.parse(at), start);
    const raw = await this.#receive(sent).catch((error: unknown) => {
      observed(undefined, undefined);
      throw error;
    });
    const ms = Math.round(this.#time.now() - start);
    this.rate.waitedFor(Math.max(0, ms - COUNTED_TIME));
    const json = parseJson(raw.body);
    if (raw.status >= 200 && raw.status < 300) this.#redactor.learnIds(json);
    const exchange = { at, ms, ...redactExchange(sent, { ...raw, json }, this.#redactor, this.#target.key) };
    this.exchanges.push(exchange);
    observed(raw, exchange);
    this.headers.set(exchange, redactAnswerHeaders(raw.headers, this.#redactor));
    this.#compareAnswer(`${raw.status} ${raw.body}`);
    return { ...raw, json, exchange };
  }

  /** The function that passes the exchange to the observer. What requests outside of the service carry may be secret. */
  #observerOf({ outside, method, path, headers, text = '' }: Sent, at: number, start: number) {
    const { observer } = this;
    const ticket = observer?.begin() ?? 0;
    const [sentHeaders, body] = outside ? [{}, ''] : [headers, text];
    return (answer: RawExchange['answer'], exchange: Exchange | undefined) => {
      const ms = Math.round(this.#time.now() - start);
      observer?.observe({ ticket, at, ms, method, target: path, headers: sentHeaders, body, answer }, exchange);
    };
  }

  /** True while all answers were equal. Compared before masking, since masked records look alike. */
  get allAlike(): boolean {
    return !this.#differed && (this.#first === undefined || this.exchanges.length > 1);
  }

  #compareAnswer(answer: string): void {
    this.#first ??= answer;
    this.#differed ||= answer !== this.#first;
  }

  async #receive(sent: Sent): Promise<Received> {
    try {
      return await this.#transport.send(sent);
    } catch (error) {
      const message = `${sent.method} ${visiblePath(sent)} got no answer: ${describeNetworkError(error)}`;
      throw new TransportError(this.#redactor.mask(message), isCut(error));
    }
  }
}

/** Milliseconds of an answer that count toward a check's deadline: a slow target does not fail a clause. */
const COUNTED_TIME = 250;

const rateLimited = () => new Untested('rate-limited', 'the target answered 429 for more than a minute');

function queryText(query: Ask['query']): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.append(name, String(value));
  return search.size === 0 ? '' : `?${search}`;
}
