import { AccountFormat } from '../http/account-format.ts';
import {
  type Exchange,
  type ExchangeObserver,
  NeverSent,
  type Received,
  type TargetResponse,
  TransportError,
} from '../http/exchange.ts';
import { parseJson } from '../http/json-search.ts';
import { Rate, realTime, type Waiting } from '../http/rate.ts';
import { redactExchange, visiblePath } from '../http/redact-exchange.ts';
import type { Redactor } from '../http/redactor.ts';
import { type ClockRequest, isOwn, type Target } from '../http/target.ts';
import { describeNetworkError, isCut, isRefusedConnection, type Sent, Transport } from '../http/transport.ts';
import type { TargetRequest } from './effects.ts';
import { Gate } from './gate.ts';
import { Untested } from './policy.ts';

/** Milliseconds between retries. The sum is longer than the minute of the rate limit. */
const RETRY_DELAYS = [1_000, 4_000, 10_000, 20_000, 30_000];
/** Milliseconds. If `Retry-After` is longer, only cleanup requests are sent again, after this time. */
const LONGEST_DELAY = 60_000;
/** Milliseconds before the only retry if a target that has responded before refuses the connection. The target may be restarting. */
const RESTART_TIME = 2_000;

/** Sends requests within a rate. Keeps every exchange, and masks the secrets in it. */
export class Client {
  readonly exchanges: Exchange[] = [];
  readonly cleaned: Exchange[] = [];
  readonly rate: Rate;
  readonly gate: Gate;
  /** Milliseconds after which a request that got no response can no longer take effect. */
  readonly lateAfter: number;
  /** Receives every exchange. This includes cleanup requests, out-of-band requests, and requests without a response. */
  observer: ExchangeObserver | undefined;
  /** Empties the rate window by advancing the target's clock. If this function is set, a cleanup request calls it after the first 429 and does not wait. */
  emptyRateWindow: (() => Promise<void>) | undefined;
  /** The first request without a response, if the target has refused connections or has not responded since then. */
  lostSince: string | undefined;
  readonly #target: Target;
  readonly #redactor: Redactor;
  readonly #time: Waiting;
  readonly #transport: Transport;
  readonly #formats = new Map<string, AccountFormat>();
  readonly #changing = new Set<Promise<unknown>>();
  /** Up to two responses that differ. Two different responses show that not all responses are alike. */
  readonly #differing = new Set<string>();
  /** The first request to the target since its last response. */
  #lostRequest: string | undefined;
  #limited = false;
  #cleaningLimited = false;

  constructor(target: Target, redactor: Redactor, time: Waiting = realTime, gate = new Gate()) {
    this.#target = target;
    this.#redactor = redactor;
    this.#time = time;
    this.gate = gate;
    this.rate = new Rate(target, time);
    this.#transport = new Transport(target);
    this.lateAfter = target.lateAfter ?? (target.fetch ? 0 : isOwn(target) ? 1_000 : 60_000);
  }

  /** Throws TransportError if no response comes. Throws Untested if the policy forbids the request, or if the target returns 429 for over a minute. */
  async send(request: TargetRequest, unwanted: () => boolean = () => false): Promise<TargetResponse> {
    if (request.burst) {
      this.rate.count(unwanted);
      return this.#sendAllowed(request);
    }
    if (this.#limited && !request.cleaning) throw rateLimited();
    // After a minute of 429, only cleanup requests are sent. If cleanup requests also get 429 for a minute, they are not retried any more.
    const delays = this.#cleaningLimited ? [] : RETRY_DELAYS;
    for (const delay of [...delays, undefined]) {
      await this.rate.turn(unwanted);
      const response = await this.#sendAllowed(request);
      if (response.status !== 429) {
        this.#limited = false;
        this.#cleaningLimited = false;
        return response;
      }
      const retryDelay = retryAfter(response);
      if (request.cleaning && this.emptyRateWindow && delay !== undefined && delay === delays[0]) await this.emptyRateWindow();
      else if (retryDelay > LONGEST_DELAY && !request.cleaning) break;
      else if (delay !== undefined) await this.rate.wait(Math.max(delay, Math.min(retryDelay, LONGEST_DELAY)), 'limit');
    }
    this.#limited = true;
    this.#cleaningLimited = request.cleaning === true;
    throw rateLimited();
  }

  /** Resolves once every request that changes the account has a response. The ledger then knows everything that must be cleaned up. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#changing);
    // The callers of `send` need this turn of the event loop to handle their responses.
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

  /** Reports whether all responses were equal. Responses are compared before masking, because masked records look alike. */
  get allAlike(): boolean {
    return this.#differing.size < 2 && this.exchanges.length !== 1;
  }

  /** If the last request had no response, checks with reads whether the target responds to others. Two reads, because one endpoint may hang alone. Sets `lostSince`. */
  async checkResponses(): Promise<void> {
    if (this.lostSince !== undefined || this.#lostRequest === undefined) return;
    const reads = ['/api/GiftCard/List', '/api/Company/Profile'].map((path) =>
      this.send({ method: 'GET', path, cleaning: true }),
    );
    await Promise.any(reads).catch(() => {
      this.lostSince ??= this.#lostRequest;
    });
  }

  /** Sends an out-of-band request, such as advancing the clock. The rate limit does not count out-of-band requests. */
  outside({ method, url, headers = {}, body }: ClockRequest): Promise<TargetResponse> {
    this.gate.admitOutside();
    const whole = url.startsWith('/') ? this.#target.url + url : url;
    const elsewhere = whole.startsWith(`${this.#target.url}/`) ? undefined : new URL(whole).origin;
    const path = whole.slice((elsewhere ?? this.#target.url).length);
    const text = body === undefined ? undefined : JSON.stringify(body);
    const all = { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
    return this.#exchange({ elsewhere, outside: true, method, path, headers: all, text });
  }

  async #sendAllowed(request: TargetRequest): Promise<TargetResponse> {
    const countResponse = this.gate.admit(request);
    const sending = this.#sendOnce(request);
    if (request.method !== 'GET') this.#changing.add(sending);
    const response = await sending.finally(() => this.#changing.delete(sending));
    countResponse(response);
    if (request.cleaning) this.cleaned.push(response.exchange);
    return response;
  }

  async #sendOnce(request: TargetRequest): Promise<TargetResponse> {
    const format = this.formatOf(request.key);
    const path = request.path + format.encode(queryText(request.query));
    const headers: Record<string, string> = { accept: '*/*', ...request.headers };
    const key = request.key === undefined ? this.#target.key : request.key;
    if (key !== null) headers['x-api-key'] = key;
    const own = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
    const text = own && format.encode(own);
    if (text !== undefined && request.contentType !== null) headers['content-type'] = request.contentType ?? 'application/json';
    const response = await this.#exchange({ odd: request.odd, method: request.method, path, headers, text });
    return { ...response, json: format.decode(response.json) };
  }

  async #exchange(sent: Sent): Promise<TargetResponse> {
    const { outside, method, path, headers, text = '' } = sent;
    const { observer } = this;
    const ticket = observer?.begin() ?? 0;
    const at = Date.now();
    const start = this.#time.now();
    const elapsed = () => Math.round(this.#time.now() - start);
    const shown = (response?: Omit<TargetResponse, 'exchange'>): Exchange => ({
      at: new Date(at).toISOString(),
      ms: elapsed(),
      ...redactExchange(sent, response, this.#redactor),
    });
    let raw: Received | undefined;
    let exchange: Exchange | undefined;
    try {
      raw = await this.#receive(sent);
      const json = parseJson(raw.body);
      if (raw.status >= 200 && raw.status < 300) this.#redactor.learnIds(json);
      exchange = shown({ ...raw, json });
      this.exchanges.push(exchange);
      // The time of a request with a response does not count toward the test's deadline. So a slow target does not leave a rule without a verdict.
      this.rate.waited += exchange.ms;
      if (this.#differing.size < 2) this.#differing.add(`${raw.status} ${raw.body}`);
      return { ...raw, json, exchange };
    } catch (error) {
      if (error instanceof TransportError) error.exchange = shown();
      throw error;
    } finally {
      // Out-of-band requests may contain secrets.
      const carried = outside ? { headers: {}, body: '' } : { headers, body: text };
      observer?.observe({ ticket, at, ms: elapsed(), method, target: path, ...carried, response: raw }, exchange);
    }
  }

  async #receive(sent: Sent, isLastAttempt = this.#differing.size === 0 || this.lostSince !== undefined): Promise<Received> {
    const request = `${sent.method} ${visiblePath(sent)}`;
    const time = new Date().toISOString().slice(11, 19);
    this.#lostRequest ??= this.#redactor.mask(`request ${this.gate.sent} (${request}, ${time} UTC)`);
    try {
      const received = await this.#transport.send(sent);
      this.#lostRequest = undefined;
      this.lostSince = undefined;
      return received;
    } catch (error) {
      const message = this.#redactor.mask(`${request} got no response: ${describeNetworkError(error)}`);
      if (sent.elsewhere !== undefined || !isRefusedConnection(error)) throw new TransportError(message, isCut(error));
      if (isLastAttempt) {
        this.lostSince ??= this.#lostRequest;
        throw new NeverSent(message);
      }
    }
    await this.rate.wait(RESTART_TIME, 'rest');
    return this.#receive(sent, true);
  }
}

const rateLimited = () =>
  new Untested('rate-limited', 'the target returned 429 for more than a minute, or its Retry-After was more than a minute');

/** Returns the milliseconds of the response's `Retry-After`, which has seconds or a date. Returns 0 for any other value. */
function retryAfter({ headers: { 'retry-after': value = '', date = new Date().toUTCString() } }: TargetResponse): number {
  return Math.max(0, Number(value) * 1_000 || Date.parse(value) - Date.parse(date) || 0);
}

function queryText(query: TargetRequest['query']): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.append(name, String(value));
  return search.size === 0 ? '' : `?${search}`;
}
