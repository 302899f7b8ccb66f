import { type ClockRequest, isOwn, type Target } from '../core/target.ts';
import { NeverSent, TransportError, Untested } from '../core/verdict.ts';
import { Gate } from '../safety/gate.ts';
import { AccountFormat } from './account-format.ts';
import type { Answer, Ask, Exchange, ExchangeObserver, Received } from './exchange.ts';
import { parseJson } from './json-search.ts';
import { Rate, realTime, type Waiting } from './rate.ts';
import { redactExchange, visiblePath } from './redact-exchange.ts';
import type { Redactor } from './redactor.ts';
import { describeNetworkError, isCut, isRefusedConnection, type Sent, Transport } from './transport.ts';

/** Milliseconds between retries. The sum is longer than the minute of the rate limit. */
const RETRY_DELAYS = [1_000, 4_000, 10_000, 20_000, 30_000];
/** Milliseconds. If `Retry-After` is longer, the client waits only this long. */
const LONGEST_DELAY = 60_000;
/** Milliseconds between attempts to connect to a target that answered before. A server may need a second to restart. */
const CONNECT_DELAYS = [500, 1_500];
/** The most milliseconds of a request that count toward the test's deadline. So a clause does not fail only because the target is slow. */
const COUNTED_TIME = 250;

/** Sends requests within a rate. Keeps every exchange, and masks the secrets in it. */
export class Client {
  readonly exchanges: Exchange[] = [];
  readonly cleaned: Exchange[] = [];
  readonly rate: Rate;
  readonly gate: Gate;
  /** Milliseconds after which a request that got no answer can no longer take effect. */
  readonly lateAfter: number;
  /** Receives every exchange. This includes cleanup requests, out-of-band requests, and requests without an answer. */
  observer: ExchangeObserver | undefined;
  /** Empties the rate window by advancing the target's clock. If this function is set, a cleanup request calls it after the first 429 and does not wait. */
  emptyRateWindow: (() => Promise<void>) | undefined;
  /** The first request that the target refused to receive, if the target has not answered since then. */
  lostSince: string | undefined;
  readonly #target: Target;
  readonly #redactor: Redactor;
  readonly #time: Waiting;
  readonly #transport: Transport;
  readonly #formats = new Map<string, AccountFormat>();
  readonly #changing = new Set<Promise<unknown>>();
  /** Up to two answers that differ. Two different answers show that not all answers are alike. */
  readonly #differing = new Set<string>();
  #limited = false;
  #cleaningLimited = false;

  constructor(target: Target, redactor: Redactor, time: Waiting = realTime, gate = new Gate()) {
    this.#target = target;
    this.#redactor = redactor;
    this.#time = time;
    this.gate = gate;
    this.rate = new Rate(target.ratePerMinute, time);
    this.#transport = new Transport(target);
    this.lateAfter = target.lateAfter ?? (target.fetch ? 0 : isOwn(target) ? 1_000 : 60_000);
  }

  /** Throws TransportError if no answer comes. Throws Untested if the policy forbids the request, or if the target answers 429 for over a minute. */
  async send(ask: Ask, unwanted: () => boolean = () => false): Promise<Answer> {
    if (ask.burst) {
      this.rate.count(unwanted);
      return this.#sendAllowed(ask);
    }
    if (this.#limited && !ask.cleaning) throw rateLimited();
    // After a minute of 429, only cleanup requests are sent. If cleanup requests also get 429 for a minute, they are not retried any more.
    const delays = this.#cleaningLimited ? [] : RETRY_DELAYS;
    for (const delay of [...delays, undefined]) {
      await this.rate.turn(unwanted);
      const answer = await this.#sendAllowed(ask);
      if (answer.status !== 429) {
        this.#limited = false;
        this.#cleaningLimited = false;
        return answer;
      }
      if (ask.cleaning && this.emptyRateWindow && delay === delays[0]) await this.emptyRateWindow();
      else if (delay !== undefined) await this.rate.wait(Math.max(delay, retryAfter(answer)), 'limit');
    }
    this.#limited = true;
    this.#cleaningLimited = ask.cleaning === true;
    throw rateLimited();
  }

  /** Resolves once every request that changes the account has an answer. The ledger then knows everything that must be cleaned up. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#changing);
    // The callers of `send` need this turn of the event loop to handle their answers.
    await new Promise((done) => setImmediate(done));
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** Returns the format of amounts and addresses for the account of a key. Default: the target's key. */
  formatOf(key: string | null = this.#target.key): AccountFormat {
    const format = this.#formats.get(key ?? '') ?? new AccountFormat(this.#target.profile.recipientDomain);
    this.#formats.set(key ?? '', format);
    return format;
  }

  /** Reports whether all answers were equal. Answers are compared before masking, because masked records look alike. */
  get allAlike(): boolean {
    return this.#differing.size < 2 && this.exchanges.length !== 1;
  }

  /** Sends an out-of-band request, such as advancing the clock. The rate limit does not count out-of-band requests. */
  outside({ method, url, headers = {}, body }: ClockRequest): Promise<Answer> {
    this.gate.admitOutside();
    const whole = url.startsWith('/') ? this.#target.url + url : url;
    const elsewhere = whole.startsWith(`${this.#target.url}/`) ? undefined : new URL(whole).origin;
    const path = whole.slice((elsewhere ?? this.#target.url).length);
    const text = body === undefined ? undefined : JSON.stringify(body);
    const all = { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
    return this.#exchange({ elsewhere, outside: true, method, path, headers: all, text });
  }

  async #sendAllowed(ask: Ask): Promise<Answer> {
    const answered = this.gate.admit(ask);
    const sending = this.#sendOnce(ask);
    if (ask.method !== 'GET') this.#changing.add(sending);
    const answer = await sending.finally(() => this.#changing.delete(sending));
    answered(answer);
    if (ask.cleaning) this.cleaned.push(answer.exchange);
    return answer;
  }

  async #sendOnce(ask: Ask): Promise<Answer> {
    const format = this.formatOf(ask.key);
    const path = ask.path + format.encode(queryText(ask.query));
    const headers: Record<string, string> = { accept: '*/*', ...ask.headers };
    const key = ask.key === undefined ? this.#target.key : ask.key;
    if (key !== null) headers['x-api-key'] = key;
    const own = ask.text ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
    const text = own && format.encode(own);
    if (text !== undefined && ask.contentType !== null) headers['content-type'] = ask.contentType ?? 'application/json';
    const answer = await this.#exchange({ odd: ask.odd, method: ask.method, path, headers, text });
    return { ...answer, json: format.decode(answer.json) };
  }

  async #exchange(sent: Sent): Promise<Answer> {
    const { outside, method, path, headers, text = '' } = sent;
    const { observer } = this;
    const ticket = observer?.begin() ?? 0;
    const at = Date.now();
    const start = this.#time.now();
    const elapsed = () => Math.round(this.#time.now() - start);
    let raw: Received | undefined;
    let exchange: Exchange | undefined;
    try {
      raw = await this.#receive(sent);
      const json = parseJson(raw.body);
      if (raw.status >= 200 && raw.status < 300) this.#redactor.learnIds(json);
      const redacted = redactExchange(sent, { ...raw, json }, this.#redactor);
      exchange = { at: new Date(at).toISOString(), ms: elapsed(), ...redacted };
      this.exchanges.push(exchange);
      this.rate.waited += Math.max(0, exchange.ms - COUNTED_TIME);
      if (this.#differing.size < 2) this.#differing.add(`${raw.status} ${raw.body}`);
      return { ...raw, json, exchange };
    } finally {
      // Out-of-band requests may contain secrets.
      const carried = outside ? { headers: {}, body: '' } : { headers, body: text };
      observer?.observe({ ticket, at, ms: elapsed(), method, target: path, ...carried, answer: raw }, exchange);
    }
  }

  async #receive(sent: Sent): Promise<Received> {
    const mayRestart = this.#differing.size > 0 && this.lostSince === undefined && sent.elsewhere === undefined;
    const delays = mayRestart ? CONNECT_DELAYS.values() : [].values();
    for (;;)
      try {
        const received = await this.#transport.send(sent);
        this.lostSince = undefined;
        return received;
      } catch (error) {
        const isUnsent = isRefusedConnection(error) && sent.elsewhere === undefined;
        const { value: delay } = isUnsent ? delays.next() : {};
        if (delay === undefined) throw this.#transportError(sent, error, isUnsent);
        await this.rate.wait(delay, 'rest');
      }
  }

  #transportError(sent: Sent, error: unknown, isUnsent: boolean): TransportError {
    const request = `${sent.method} ${visiblePath(sent)}`;
    const message = this.#redactor.mask(`${request} got no answer: ${describeNetworkError(error)}`);
    if (!isUnsent) return new TransportError(message, isCut(error));
    const time = new Date().toISOString().slice(11, 19);
    this.lostSince ??= this.#redactor.mask(`request ${this.exchanges.length + 1} (${request}, ${time} UTC)`);
    return new NeverSent(message);
  }
}

const rateLimited = () => new Untested('rate-limited', 'the target answered 429 for more than a minute');

/** Returns the `Retry-After` of the answer in milliseconds, or 0 if it is not a number. */
const retryAfter = ({ headers }: Answer): number => Math.min(Number(headers['retry-after']) * 1_000 || 0, LONGEST_DELAY);

function queryText(query: Ask['query']): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.append(name, String(value));
  return search.size === 0 ? '' : `?${search}`;
}
