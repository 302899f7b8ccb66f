import { Agent, request } from 'node:http';
import { deserialize, serialize } from 'node:v8';
import { secret } from '../account/clock.ts';
import type { ServiceRequest, ServiceResponse } from '../pipeline/exchange.ts';
import { type Listener, listen } from '../server/http.ts';
import { OtherLeads, type Peer, StoreUnavailable } from './store.ts';

const TOKEN_HEADER = 'x-sandbox-replica-token';

/** A replica does not respond. */
export class NoResponse extends StoreUnavailable {
  /** `ended`: the process has ended. `not handled`: the replica has not handled the request. `unknown`: the request may have been handled. */
  readonly why: 'ended' | 'not handled' | 'unknown';

  constructor({ host, port }: Peer, why: NoResponse['why']) {
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
        return { status: 200, headers: {}, body: serialize(await handle(deserialize(request.body as Buffer))) };
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        return { status: error instanceof OtherLeads ? 421 : 503, headers: {}, body: error.message };
      }
    };
    const keptBytes = (head: Pick<ServiceRequest, 'headers'>) => (isPeer(head) ? Number.POSITIVE_INFINITY : 0);
    const listener = await listen(async (request) => ({ response: await response(request), at: 0 }), keptBytes, host, 0);
    return new Peers({ host, port: listener.port, token }, listener);
  }

  /** Sends a message to a replica, and returns the response. Throws StoreUnavailable. */
  async send(peer: Peer, message: unknown): Promise<unknown> {
    const { host, port, token } = peer;
    const { status, body } = await new Promise<{ readonly status: number; readonly body: Buffer }>((resolve, reject) => {
      const fail = ({ code }: NodeJS.ErrnoException) =>
        reject(new NoResponse(peer, code === 'ECONNREFUSED' ? 'ended' : 'unknown'));
      const sent = request({ host, port, method: 'POST', headers: { [TOKEN_HEADER]: token }, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
        response.on('error', fail);
      });
      sent.on('error', fail).end(serialize(message));
    });
    if (status === 200) return deserialize(body);
    if (status === 503) throw new StoreUnavailable(body.toString());
    throw new NoResponse(peer, 'not handled');
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
