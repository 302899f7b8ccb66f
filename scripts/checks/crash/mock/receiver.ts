import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Milliseconds until a slow receiver responds. */
const SLOW = 15;

/**
 * A receiver of deliveries that outlives the mock. It counts the posts by path and RequestId. The last segment of the path decides the response:
 * `slow` responds after a delay, `failing` responds to every third delivery with 500.
 */
export class CountingReceiver {
  readonly #posts = new Map<string, Map<string, number>>();
  #failing = 0;
  readonly #server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return; // The mock was killed.
    this.#count(path, JSON.parse(body).RequestId);
    const status = path.endsWith('/failing') && ++this.#failing % 3 === 0 ? 500 : 200;
    if (path.endsWith('/slow')) setTimeout(() => response.writeHead(status).end(), SLOW);
    else response.writeHead(status).end();
  });

  static async start(): Promise<CountingReceiver> {
    const receiver = new CountingReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns the number of posts by RequestId. */
  postsOf(path: string): ReadonlyMap<string, number> {
    return this.#posts.get(path) ?? new Map();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #count(path: string, requestId: string): void {
    const posts = this.#posts.get(path) ?? new Map<string, number>();
    posts.set(requestId, (posts.get(requestId) ?? 0) + 1);
    this.#posts.set(path, posts);
  }
}
