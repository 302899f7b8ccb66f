import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../../command-line/usage-error.ts';
import { Untested } from '../core/verdict.ts';

/** One request that reached the receiver, byte for byte as it came. */
export interface Arrival {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, in the letter case of the sender. */
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
  /** The body where it is a JSON object. */
  readonly payload: Readonly<Record<string, unknown>> | undefined;
  /** Its place among all that came to the receiver. */
  readonly at: number;
  /** How many requests to the same address were unanswered when it came. */
  readonly besides: number;
  /** Whether the answer has been sent. */
  isAnswered: boolean;
}

/** What a request is answered with: a status, where else to go, and what has to happen before. */
interface Reply {
  readonly status: number;
  readonly location?: string;
  readonly after?: Promise<unknown>;
}

/** An address of its own at the receiver, and what came to it. */
export interface Mailbox {
  readonly name: string;
  readonly url: string;
  readonly arrivals: Arrival[];
}

type Answering = (arrival: Arrival, mailbox: Mailbox) => Reply;

interface Place {
  readonly host: string;
  readonly port: number;
}

const largestBody = 1_000_000;
/** A run has one receiver, which is where nobody else can guess and where a target beside it finds it. */
const besideTarget = { listen: '127.0.0.1:0' };

/** Receives the deliveries that a run causes. It listens from when the first mailbox is wanted. */
export class Receiver {
  readonly #place: Place;
  readonly #url: string | undefined;
  readonly #read: (json: unknown) => unknown;
  readonly #mailboxes = new Map<string, { mailbox: Mailbox; answering: Answering }>();
  readonly #watchers = new Set<() => void>();
  readonly #givenUp: (() => boolean)[] = [];
  #server: Promise<Server> | undefined;
  #came = 0;

  /** `listen` is HOST:PORT, 0 for any free port; `url` is under which address the target reaches it. Throws UsageError for what is neither. */
  constructor(
    { listen, url }: { readonly listen?: string; readonly url?: string },
    read: (json: unknown) => unknown = (json) => json,
  ) {
    this.#read = read;
    this.#place = placeOf(listen ?? besideTarget.listen);
    if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
      throw new UsageError(
        `The receiver's address "${url}" is not an http or https URL. Give the one that reaches it from the target.`,
      );
    this.#url = url?.replace(/\/+$/, '');
  }

  /** An address that nobody had before. Everything is answered with 200 unless it is told otherwise. */
  async mailbox(name: string, query = '', answering: Answering = () => ({ status: 200 })): Promise<Mailbox> {
    const server = await this.#listening();
    const host = this.#place.host === '0.0.0.0' ? '127.0.0.1' : this.#place.host;
    const own = this.#url ?? `http://${host}:${(server.address() as AddressInfo).port}`;
    const secret = crypto.randomUUID();
    const mailbox: Mailbox = { name, url: `${own}/${secret}${query}`, arrivals: [] };
    this.#mailboxes.set(secret, { mailbox, answering });
    return mailbox;
  }

  /** Resolves with true as soon as the condition holds, which is looked at again whenever something comes or is answered; with false after `ms`. */
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

  /** The same for what must come, of which it is remembered that it was given up. */
  async comes(condition: () => boolean, ms: number): Promise<boolean> {
    const came = await this.until(condition, ms);
    if (!came) this.#givenUp.push(condition);
    return came;
  }

  /** Whether something came once it had been given up, so that whatever is missing may come yet. */
  get isLate(): boolean {
    return this.#givenUp.some((condition) => condition());
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

  /** Which mailbox is told by the last segment of the path, for what stands before it may be changed on the way. */
  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await bodyOf(request);
    const path = request.url ?? '';
    const found = this.#mailboxes.get(/([^/?]*)(\?|$)/.exec(path)?.[1] ?? '');
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    const besides = found.mailbox.arrivals.filter(({ isAnswered }) => !isAnswered).length;
    const { method = '', headers, rawHeaders } = request;
    this.#came += 1;
    const told = { at: this.#came, method, path, headers, rawHeaders, bytes };
    const arrival: Arrival = { ...told, payload: this.#read(objectIn(bytes)) as Arrival['payload'], besides, isAnswered: false };
    const { status, location, after } = found.answering(arrival, found.mailbox);
    found.mailbox.arrivals.push(arrival);
    this.#tell();
    await after;
    response.writeHead(status, location === undefined ? {} : { location }).end(() => {
      arrival.isAnswered = true;
      this.#tell();
    });
  }

  #tell(): void {
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
    if (size > largestBody) throw new Error('the delivery is too large');
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
