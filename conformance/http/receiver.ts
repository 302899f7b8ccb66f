import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../../command-line/usage-error.ts';
import { Untested } from '../core/verdict.ts';

/** A request that reached the receiver, byte for byte. */
export interface Arrival {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, in the sender's letter case. */
  readonly rawHeaders: readonly string[];
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
interface Reply {
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

interface Place {
  readonly host: string;
  readonly port: number;
}

const LARGEST_BODY = 1_000_000;
/** For a target on this machine. */
const DEFAULT_LISTEN = '127.0.0.1:0';

/** Receives the deliveries that a run causes. It starts to listen when the first mailbox is created. */
export class Receiver {
  readonly #place: Place;
  readonly #url: string | undefined;
  readonly #read: (json: unknown) => unknown;
  readonly #mailboxes = new Map<string, { mailbox: Mailbox; answering: Answerer }>();
  readonly #watchers = new Set<() => void>();
  readonly #expired: (() => boolean)[] = [];
  #server: Promise<Server> | undefined;
  #came = 0;

  /** `listen`: HOST:PORT, port 0 for any free one. `url`: how the target reaches the receiver. Throws UsageError for a malformed value. */
  constructor(
    { listen, url }: { readonly listen?: string; readonly url?: string },
    read: (json: unknown) => unknown = (json) => json,
  ) {
    this.#read = read;
    this.#place = placeOf(listen ?? DEFAULT_LISTEN);
    if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
      throw new UsageError(
        `The receiver's address "${url}" is not an http or https URL. Give the one that reaches it from the target.`,
      );
    this.#url = url?.replace(/\/+$/, '');
  }

  /** Creates a mailbox with a new address. Default answer: 200. */
  async mailbox(name: string, query = '', answering: Answerer = () => ({ status: 200 })): Promise<Mailbox> {
    const server = await this.#listening();
    const host = this.#place.host === '0.0.0.0' ? '127.0.0.1' : this.#place.host;
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
      const { host, port } = this.#place;
      server.once('error', ({ message }) => reject(new Untested('no-receiver', `no receiver could be set up: ${message}`)));
      server.listen(port, host.replace(/^\[|\]$/g, ''), () => resolve(server));
    });
    return this.#server;
  }

  /** The last path segment names the mailbox: a gateway may change what is before it. */
  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await bodyOf(request);
    const path = request.url ?? '';
    const found = this.#mailboxes.get(/([^/?]*)(\?|$)/.exec(path)?.[1] ?? '');
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    const unanswered = found.mailbox.arrivals.filter(({ isAnswered }) => !isAnswered).length;
    const { method = '', headers, rawHeaders } = request;
    this.#came += 1;
    const common = { at: this.#came, method, path, headers, rawHeaders, bytes };
    const arrival: Arrival = {
      ...common,
      payload: this.#read(objectIn(bytes)) as Arrival['payload'],
      unanswered,
      isAnswered: false,
    };
    const { status, location, after } = found.answering(arrival, found.mailbox);
    found.mailbox.arrivals.push(arrival);
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

function placeOf(listen: string): Place {
  const url = /^[^/?#@]+:\d+$/.test(listen) && URL.canParse(`http://${listen}`) ? new URL(`http://${listen}`) : undefined;
  if (!url) throw new UsageError(`The receiver cannot listen at "${listen}". Give host and port, such as 127.0.0.1:8500.`);
  return { host: url.hostname, port: Number(url.port || 80) };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > LARGEST_BODY) throw new Error('the delivery is too large');
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

function objectIn(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
