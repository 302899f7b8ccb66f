import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values, in their original letter case. */
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
}

type ResponseTo = (response: ServerResponse, position: number) => void;

/** A receiver of deliveries that keeps each post. The end of the test closes the receiver. */
export class TestReceiver {
  readonly received: Received[] = [];
  /** The status of every response, or a function that responds. `position` is the number of earlier deliveries. */
  respond: number | ResponseTo = 200;
  url = '';
  #server: Server | undefined;
  readonly #arrivals = new EventEmitter();

  static async start(secure?: { readonly cert: string; readonly key: string }): Promise<TestReceiver> {
    const receiver = new TestReceiver();
    const server = secure ? createSecureServer(secure, receiver.#take) : createServer(receiver.#take);
    receiver.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = secure ? 'https://localhost' : 'http://127.0.0.1';
    receiver.url = `${origin}:${(server.address() as AddressInfo).port}/deliveries`;
    onTestFinished(() => receiver.close());
    return receiver;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a payload by comparing it.
  get payloads(): any[] {
    return this.received.map(({ bytes }) => JSON.parse(bytes.toString('utf8')));
  }

  get topics(): string[] {
    return this.payloads.map(({ WebhookTopic }) => WebhookTopic);
  }

  /** Resolves once `count` deliveries have arrived. Some may have no response yet. */
  async arrived(count: number): Promise<void> {
    while (this.received.length < count) await once(this.#arrivals, 'arrival');
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  readonly #take: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers, rawHeaders } = request;
      const position = this.received.push({ method, path, headers, rawHeaders, bytes: Buffer.concat(chunks) }) - 1;
      if (typeof this.respond === 'number') response.writeHead(this.respond).end();
      else this.respond(response, position);
      this.#arrivals.emit('arrival');
    });
  };
}
