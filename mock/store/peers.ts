import { Agent, request } from 'node:http';
import { deserialize, serialize } from 'node:v8';
import { secret, startTimer } from '../account/clock.ts';
import type { ServiceRequest, ServiceResponse } from '../pipeline/exchange.ts';
import { type Listener, listen } from '../server/http.ts';
import { OtherLeads, type Peer, StoreUnavailable } from './store.ts';

const TOKEN_HEADER = 'x-sandbox-replica-token';

/** The message of `isThere`. */
const PING = 'ping';
/** The milliseconds within which a replica responds to a ping, however busy it is. */
const PING_LIMIT = 4000;

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
  /** The address of this replica. */
  readonly own: Peer;
  readonly #listener: Listener;
  #agent = new Agent({ keepAlive: true });

  private constructor(own: Peer, listener: Listener) {
    this.own = own;
    this.#listener = listener;
  }

  /** Listens on any free port of `host`, and handles messages with `handle`. */
  static async listen(host: string, handle: (message: unknown) => Promise<unknown>): Promise<Peers> {
    const token = secret();
    const isPeer = ({ headers }: Pick<ServiceRequest, 'headers'>) => headers[TOKEN_HEADER] === token;
    const response = async (request: ServiceRequest): Promise<ServiceResponse> => {
      if (!isPeer(request)) return { status: 404, headers: {}, body: '' };
      try {
        const message: unknown = deserialize(request.body as Buffer);
        return { status: 200, headers: {}, body: serialize(message === PING ? PING : await handle(message)) };
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        return { status: error instanceof OtherLeads ? 421 : 503, headers: {}, body: error.message };
      }
    };
    const keptBytes = (head: Pick<ServiceRequest, 'headers'>) => (isPeer(head) ? Number.POSITIVE_INFINITY : 0);
    const listener = await listen(async (request) => ({ response: await response(request), at: 0 }), keptBytes, host, 0);
    return new Peers({ host, port: listener.port, token }, listener);
  }

  /** Returns undefined if the replica responds to a ping. Otherwise, returns the reason. */
  async ping(peer: Peer): Promise<PeerSilent | undefined> {
    const refusal = (error: unknown) => (error instanceof PeerSilent && error.why !== 'not handled' ? error : undefined);
    return this.send(peer, PING, PING_LIMIT).then(() => undefined, refusal);
  }

  /**
   * Sends a message to a replica, and returns the response. Without a `limit` in milliseconds, waits as long as the connection lasts, because some messages
   * take long. Throws StoreUnavailable.
   */
  async send(peer: Peer, message: unknown, limit?: number): Promise<unknown> {
    const { host, port, token } = peer;
    const { status, body } = await new Promise<{ readonly status: number; readonly body: Buffer }>((resolve, reject) => {
      const fail = ({ code }: NodeJS.ErrnoException) =>
        reject(new PeerSilent(peer, code === 'ECONNREFUSED' ? 'ended' : 'unknown'));
      const sent = request({ host, port, method: 'POST', headers: { [TOKEN_HEADER]: token }, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
        response.on('error', fail);
      });
      const cancel =
        limit === undefined ? () => {} : startTimer(limit, () => sent.destroy(new Error('The ping got no response.')));
      sent.on('error', fail).on('close', cancel).end(serialize(message));
    });
    if (status === 200) return deserialize(body);
    if (status === 503) throw new StoreUnavailable(body.toString());
    throw new PeerSilent(peer, 'not handled');
  }

  /** Ends the messages that are under way to other replicas. */
  drop(): void {
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true });
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.#listener.close();
  }
}
