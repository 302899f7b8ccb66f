import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { UsageError } from '../../command-line/usage-error.ts';
import { Untested } from '../core/verdict.ts';
import { parseJson } from './json-search.ts';

/** A request that reached the receiver, byte for byte. */
export interface Arrival {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body, if it is a JSON object. */
  readonly payload: Readonly<Record<string, unknown>> | undefined;
  /** Its position among all arrivals of the receiver, from 1. */
  readonly at: number;
  /** How many earlier arrivals of the same mailbox were unanswered at that time. */
  readonly unanswered: number;
  /** Whether the answer has been sent. */
  isAnswered: boolean;
}

/** The answer to an arrival: a status, a redirect, and what to wait for before it is sent. */
export interface Reply {
  readonly status: number;
  readonly location?: string;
  readonly after?: Promise<unknown>;
}

/** An address at the receiver and its arrivals. */
export interface Mailbox {
  readonly name: string;
  readonly url: string;
  readonly arrivals: Arrival[];
}

type Answerer = (arrival: Arrival, mailbox: Mailbox) => Reply;

/** Receives the deliveries that a run causes. It starts to listen when the first mailbox is created. */
export class Receiver {
  readonly #listen: URL;
  readonly #url: string | undefined;
  readonly #decode: (json: unknown) => unknown;
  readonly #mailboxes = new Map<string, { mailbox: Mailbox; answering: Answerer }>();
  readonly #watchers = new Set<() => void>();
  readonly #expired: (() => boolean)[] = [];
  #server: Promise<Server> | undefined;
  #came = 0;

  /** `listen`: HOST:PORT, port 0 for any free one. `url`: how the target reaches the receiver. Throws UsageError for a malformed value. */
  constructor(
    { listen = '127.0.0.1:0', url }: { readonly listen?: string; readonly url?: string },
    decode: (json: unknown) => unknown = (json) => json,
  ) {
    if (!/^[^/?#@]+:\d+$/.test(listen) || !URL.canParse(`http://${listen}`))
      throw new UsageError(`The receiver cannot listen at "${listen}". Give host and port, such as 127.0.0.1:8500.`);
    if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
      throw new UsageError(
        `The receiver's address "${url}" is not an http or https URL. Give the one that reaches it from the target.`,
      );
    this.#listen = new URL(`http://${listen}`);
    this.#url = url?.replace(/\/+$/, '');
    this.#decode = decode;
  }

  /** Creates a mailbox with a new address. Default answer: 200. */
  async mailbox(name: string, query = '', answering: Answerer = () => ({ status: 200 })): Promise<Mailbox> {
    const server = await this.#listening();
    const { hostname } = this.#listen;
    const host = hostname === '0.0.0.0' ? '127.0.0.1' : hostname;
    const own = this.#url ?? `http://${host}:${(server.address() as AddressInfo).port}`;
    const secret = crypto.randomUUID();
    const mailbox: Mailbox = { name, url: `${own}/${secret}${query}`, arrivals: [] };
    this.#mailboxes.set(secret, { mailbox, answering });
    return mailbox;
  }

  /** Resolves with true as soon as the condition holds, with false after `ms`. The condition is tested at every arrival and answer. */
  until(condition: () => boolean, ms: number): Promise<boolean> {
    if (condition()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve(condition());
      };
      const look = () => condition() && end();
      const timer = setTimeout(end, ms);
      this.#watchers.add(look);
    });
  }

  /** Like `until`, for an expected arrival; remembers that it did not come in time. */
  async comes(condition: () => boolean, ms: number): Promise<boolean> {
    const came = await this.until(condition, ms);
    if (!came) this.#expired.push(condition);
    return came;
  }

  /** Whether an expected arrival came after its time. Others that are missing may still come. */
  get isLate(): boolean {
    return this.#expired.some((condition) => condition());
  }

  async close(): Promise<void> {
    const server = await this.#server?.catch(() => undefined);
    server?.closeAllConnections();
    server?.close();
  }

  #listening(): Promise<Server> {
    this.#server ??= new Promise((resolve, reject) => {
      const server = createServer((request, response) => void this.#receive(request, response).catch(() => response.destroy()));
      const { hostname, port } = this.#listen;
      server.once('error', ({ message }) => reject(new Untested('no-receiver', `no receiver could be set up: ${message}`)));
      server.listen(Number(port || 80), hostname.replace(/^\[|\]$/g, ''), () => resolve(server));
    });
    return this.#server;
  }

  /** The last path segment names the mailbox: a gateway may change what is before it. */
  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request);
    const { method = '', url: path = '', headers } = request;
    const found = this.#mailboxes.get(/([^/?]*)(\?|$)/.exec(path)?.[1] ?? '');
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    const { mailbox, answering } = found;
    const unanswered = mailbox.arrivals.filter(({ isAnswered }) => !isAnswered).length;
    const json = this.#decode(parseJson(bytes.toString('utf8')));
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
    const payload = isObject ? (json as Arrival['payload']) : undefined;
    this.#came += 1;
    const arrival: Arrival = { at: this.#came, method, path, headers, bytes, payload, unanswered, isAnswered: false };
    const { status, location, after } = answering(arrival, mailbox);
    mailbox.arrivals.push(arrival);
    this.#notify();
    await after;
    response.writeHead(status, location === undefined ? {} : { location }).end(() => {
      arrival.isAnswered = true;
      this.#notify();
    });
  }

  #notify(): void {
    for (const look of [...this.#watchers]) look();
  }
}
