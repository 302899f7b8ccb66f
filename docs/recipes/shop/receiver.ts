import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifySignature } from 'giftcard-sandbox';

/** A shop's receiver of webhooks. It accepts a delivery only if the signature matches the raw bytes. It accepts each RequestId only once. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** The accepted deliveries, in the order of their arrival. */
  readonly believed: readonly { readonly RequestId: string; readonly WebhookTopic: string; readonly Code: string }[];
}

/** Starts a receiver. If `broken` is true, the receiver returns 500 to every delivery, as if the shop was down. */
export async function startReceiver(token: string, broken = false): Promise<Receiver> {
  const believed: Receiver['believed'][number][] = [];
  const server = createServer(async (request, response) => {
    const bytes = await bytesOf(request);
    if (broken) response.writeHead(500).end();
    else if (!verifySignature(bytes, request.headers['hmac-signature-sha256'] as string | undefined, token))
      response.writeHead(401).end();
    else {
      const delivery = JSON.parse(bytes.toString('utf8'));
      if (!believed.some(({ RequestId }) => RequestId === delivery.RequestId)) believed.push(delivery);
      response.writeHead(204).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    believed,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
