import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import { idle, secret, startTimer } from '../account/clock.ts';
import { OtherLeads, type Peer, StoreUnavailable } from './store.ts';

const PING = 'ping';
/** The milliseconds within which a replica responds to a ping, however busy it is, and within which a connection must send a token. */
const PING_LIMIT = 4000;
/** The digits of a frame's length. */
const DIGITS = 12;

type Message = readonly [number: number, message: unknown];
type Response = readonly [number: number, response: unknown, problem?: PeerSilent['why'] | 'unavailable'];

/** A replica does not respond. */
export class PeerSilent extends StoreUnavailable {
  /** `ended`: the process has ended. `not handled`: the replica has not handled the request. `unknown`: the request may have been handled. */
  readonly why: 'ended' | 'not handled' | 'unknown';

  constructor({ host, port }: Peer, why: PeerSilent['why']) {
    super(`The replica at ${host}:${port} leads, but does not respond. Every replica must be able to reach every other one.`);
    this.why = why;
  }
}

/** The connections between this replica and the others. A message may be any value that v8 serializes. */
export class Peers {
  /** The address of this replica, after `listen`. */
  own: Peer = { host: '', port: 0, token: secret() };
  /** The connections from other replicas. */
  readonly #sockets = new Set<Socket>();
  /** The connections to other replicas, by token. */
  readonly #links = new Map<string, ReturnType<typeof linkTo>>();
  readonly #server = createServer({ noDelay: true });

  /** Listens on any free port of `host`, and handles messages with `handle`. */
  async listen(host: string, handle: (message: unknown) => Promise<unknown>): Promise<this> {
    const { token } = this.own;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket.on('close', () => this.#sockets.delete(socket)));
      startTimer(PING_LIMIT, () => socket.bytesRead < token.length + DIGITS && socket.destroy());
      const send = senderTo<Response>(socket, token);
      const respond = async ([number, message]: Message) => {
        try {
          send([number, message === PING ? PING : await handle(message)]);
        } catch (error) {
          send([number, (error as Error).message, error instanceof OtherLeads ? 'not handled' : 'unavailable']);
        }
      };
      receive(socket, token, respond).catch(() => {});
    });
    await once(this.#server.listen(0, host), 'listening');
    // A connection that the server fails to accept must not end the process.
    this.#server.on('error', () => {});
    this.own = { host, port: (this.#server.address() as AddressInfo).port, token };
    return this;
  }

  /** Returns undefined if the replica responds to a ping. Otherwise, returns the reason. A ping has its own connection, because messages can be long. */
  async ping(peer: Peer): Promise<PeerSilent | undefined> {
    const { send, socket } = linkTo(peer);
    const cancel = startTimer(PING_LIMIT, () => socket.destroy());
    const response = await send(PING).catch((error: PeerSilent) => error);
    cancel();
    socket.destroy();
    return response instanceof PeerSilent ? response : undefined;
  }

  /** Sends a message to a replica, and returns the response. Waits as long as the connection lasts, because some messages take long. Throws StoreUnavailable. */
  send(peer: Peer, message: unknown): Promise<unknown> {
    const known = this.#links.get(peer.token);
    const link = known?.socket.writable ? known : linkTo(peer);
    this.#links.set(peer.token, link);
    return link.send(message);
  }

  /** Ends the messages that are under way to other replicas. */
  drop(): void {
    for (const { socket } of this.#links.values()) socket.destroy();
    this.#links.clear();
  }

  /** The responses that are ready are sent. Later ones are not, because their changes may not be stored. */
  async close(): Promise<void> {
    this.drop();
    this.#server.close();
    await idle();
    for (const socket of this.#sockets) socket.end().unref();
  }
}

function linkTo(peer: Peer) {
  const { host, port, token } = peer;
  const socket = connect({ host, port, noDelay: true, keepAlive: true });
  const waiting = new Map<number, (response: Response) => void>();
  const settle = (response: Response) => {
    waiting.get(response[0])?.(response);
    waiting.delete(response[0]);
  };
  const end = ({ code }: NodeJS.ErrnoException) => {
    for (const number of waiting.keys()) settle([number, undefined, code === 'ECONNREFUSED' ? 'ended' : 'unknown']);
  };
  receive(socket, token, settle).catch(end);
  const write = senderTo<Message>(socket, token);
  let last = 0;
  const send = async (message: unknown): Promise<unknown> => {
    const number = ++last;
    write([number, message]);
    const [, response, problem] = await new Promise<Response>((resolve) => waiting.set(number, resolve));
    if (problem === undefined) return response;
    throw problem === 'unavailable' ? new StoreUnavailable(`${response}`) : new PeerSilent(peer, problem);
  };
  return { socket, send };
}

/** Returns a function that sends values. Those of one turn of the event loop share a frame: the token, a length, and their list as v8 serializes it. */
function senderTo<T>(socket: Socket, token: string): (value: T) => void {
  let waiting: T[] = [];
  const write = () => {
    const list = serialize(waiting);
    waiting = [];
    socket.write(Buffer.concat([Buffer.from(token + `${list.length}`.padStart(DIGITS)), list]));
  };
  return (value) => {
    if (waiting.push(value) === 1)
      idle()
        .then(write)
        .catch(() => socket.destroy());
  };
}

/** Calls `take` with every value that arrives. Rejects when the connection ends, and ends it at the first frame that has another token. */
async function receive<T>(socket: Socket, token: string, take: (value: T) => void): Promise<never> {
  const secret = Buffer.from(token);
  const head = secret.length + DIGITS;
  let parts: Buffer[] = [];
  let size = 0;
  let end = head;
  for await (const part of socket.on('error', () => {})) {
    parts.push(part);
    size += part.length;
    while (size >= end) {
      const all = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
      if (!timingSafeEqual(all.subarray(0, secret.length), secret)) throw new Error('This is another token.');
      end = head + Number(all.toString('latin1', secret.length, head));
      parts = [all];
      if (size < end) continue;
      for (const value of deserialize(all.subarray(head, end)) as T[]) take(value);
      parts = [all.subarray(end)];
      size -= end;
      end = head;
    }
  }
  throw new Error('The connection has ended.');
}
