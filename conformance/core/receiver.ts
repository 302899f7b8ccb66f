import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import { UsageError } from '../../cli/usage-error.ts';
import { parseJson } from '../http/json-search.ts';
import type { Profile } from '../http/target.ts';
import { collectBytes } from '../http/transport.ts';
import { Untested } from '../safety/policy.ts';
import { lateDetail } from './verdict.ts';

/** A request that reached the receiver, byte for byte. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly payload: Readonly<Record<string, unknown>> | undefined;
  /** The position among all arrivals of the receiver, from 1. */
  readonly at: number;
  /** When the request arrived, in milliseconds of `performance.now()`. */
  readonly time: number;
  /** Number of earlier arrivals in the same mailbox that had no response yet. */
  readonly unfinishedBefore: number;
  hasResponse: boolean;
}

export interface ReceiverResponse {
  readonly status: number;
  readonly location?: string;
  /** The receiver responds after this promise has resolved. */
  readonly after?: Promise<unknown>;
}

/** Bytes. A delivery about one card has about one thousand. */
const LARGEST_BODY = 1_000_000;

export interface Mailbox {
  readonly name: string;
  readonly url: string;
  readonly arrivals: Arrival[];
}

/** Deadlines in milliseconds. UNCALIBRATED applies before the first delivery. The calibration then sets a deadline from SHORTEST to LONGEST. */
const [UNCALIBRATED, SHORTEST, LONGEST] = [6_000, 5_000, 60_000];

type Responder = (arrival: Arrival, mailbox: Mailbox) => ReceiverResponse;

/** Receives the deliveries that a run causes. The receiver starts to listen when the first mailbox is created. */
export class Receiver {
  readonly #listen: URL;
  readonly #url: string | undefined;
  readonly #decode: (json: unknown) => unknown;
  readonly #mailboxes = new Map<string, { mailbox: Mailbox; respond: Responder }>();
  /** Emits `change` at every arrival and response. */
  readonly #events = new EventEmitter().setMaxListeners(0);
  /** Milliseconds that a delivery may take. */
  #deadline: number | undefined;
  /** The first delivery of the run, with its delay in milliseconds. */
  #first: { readonly what: string; readonly delay: number } | undefined;
  #server: Promise<Server> | undefined;
  /** Receives the JSON object of each delivery. */
  onDelivery: ((payload: NonNullable<Arrival['payload']>) => void) | undefined;
  arrived = 0;
  /** When the last request arrived, in milliseconds of `performance.now()`. */
  lastArrival = 0;

  /** `listen` is HOST:PORT. The target reaches the receiver at `url`. Without a `deadline`, the first delivery sets the deadline. Throws UsageError for a malformed value. */
  constructor(
    { listen = '127.0.0.1:0', url }: NonNullable<Profile['receiver']>,
    decode = (json: unknown) => json,
    deadline?: number,
  ) {
    if (!/^[^/?#@]+:\d+$/.test(listen) || !URL.canParse(`http://${listen}`))
      throw new UsageError(`The receiver cannot listen at "${listen}". Give host and port, such as 127.0.0.1:8500.`);
    if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
      throw new UsageError(`The receiver's address "${url}" is not an http or https URL. Give a URL that the target can reach.`);
    this.#listen = new URL(`http://${listen}`);
    this.#url = url?.replace(/\/+$/, '');
    this.#decode = decode;
    this.#deadline = deadline;
  }

  get deadline(): number {
    return this.#deadline ?? UNCALIBRATED;
  }

  /** Sets the deadline of all deliveries of the run by the delay of the first delivery. Throws Untested `late` if that delivery exceeded the user's deadline. */
  calibrate(what: string, delay: number): void {
    this.#first ??= { what, delay };
    this.#deadline ??= Math.min(Math.max(10 * delay, SHORTEST), LONGEST);
    if (this.#first.delay > this.#deadline)
      throw new Untested('late', lateDetail(this.#first.what, this.#first.delay, this.#deadline));
  }

  /** Creates a mailbox with a new address. Default response: 200. */
  async mailbox(name: string, query = '', respond: Responder = () => ({ status: 200 })): Promise<Mailbox> {
    this.#server ??= this.#startServer();
    const { port } = (await this.#server).address() as AddressInfo;
    const { hostname } = this.#listen;
    const base = this.#url ?? `http://${hostname === '0.0.0.0' ? '127.0.0.1' : hostname}:${port}`;
    const secret = crypto.randomUUID();
    const mailbox: Mailbox = { name, url: `${base}/${secret}${query}`, arrivals: [] };
    this.#mailboxes.set(secret, { mailbox, respond });
    return mailbox;
  }

  /** Resolves with true as soon as the condition holds, and with false after `ms`. */
  async until(condition: () => boolean, ms: number): Promise<boolean> {
    const signal = AbortSignal.timeout(Math.ceil(ms));
    while (!condition() && !signal.aborted) await once(this.#events, 'change', { signal }).catch(() => undefined);
    return condition();
  }

  /** Evaluates the conditions of `until` again. */
  notify(): void {
    this.#events.emit('change');
  }

  async close(): Promise<void> {
    const server = await this.#server?.catch(() => undefined);
    server?.closeAllConnections();
    server?.close();
  }

  async #startServer(): Promise<Server> {
    const server = createServer((request, response) => void this.#receive(request, response).catch(() => response.destroy()));
    const { hostname, port } = this.#listen;
    server.listen(Number(port || 80), hostname.replace(/^\[|\]$/g, ''));
    await once(server, 'listening').catch(({ message }) => {
      throw new Untested('no-receiver', `the receiver could not be started: ${message}`);
    });
    // Without this listener, an error of the server would end the process.
    return server.on('error', () => {});
  }

  /** Receives a delivery. Only the last path segment names the mailbox, because a gateway may change the rest of the path. */
  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const collected = collectBytes(request, LARGEST_BODY);
    await finished(request.resume());
    const { method = '', url: path = '', headers } = request;
    const found = this.#mailboxes.get(path.split('?', 1)[0]?.split('/').at(-1) ?? '');
    const bytes = collected();
    if (!found || !bytes) {
      response.writeHead(found ? 413 : 404).end();
      return;
    }
    const { mailbox, respond } = found;
    const unfinishedBefore = mailbox.arrivals.filter(({ hasResponse }) => !hasResponse).length;
    const json = this.#decode(parseJson(bytes.toString('utf8')));
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
    const payload = isObject ? (json as Arrival['payload']) : undefined;
    this.arrived += 1;
    this.lastArrival = performance.now();
    const [at, time] = [this.arrived, this.lastArrival];
    const arrival: Arrival = { at, time, method, path, headers, bytes, payload, unfinishedBefore, hasResponse: false };
    const { status, location, after } = respond(arrival, mailbox);
    mailbox.arrivals.push(arrival);
    if (payload) this.onDelivery?.(payload);
    this.notify();
    await after;
    response.writeHead(status, location === undefined ? {} : { location }).end(() => {
      arrival.hasResponse = true;
      this.notify();
    });
  }
}
