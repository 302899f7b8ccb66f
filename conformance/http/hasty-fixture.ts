import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const source = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const server = createServer((line) => {
    line.on('error', () => {});
    line.once('data', () => {
      line.pause();
      line.write('HTTP/1.1 413 Content Too Large\\r\\nConnection: close\\r\\nContent-Length: 3\\r\\n\\r\\nno!');
      line.destroySoon();
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/**
 * A server that answers any request with 413 on sight of its head, and closes; in a thread of its own, so that it does so while a client is writing.
 * Of those that write several megabytes at once, almost all find the line broken before they read the answer.
 */
export async function startHasty(): Promise<{ url: string; close: () => Promise<unknown> }> {
  const server = new Worker(source, { eval: true });
  const [port] = await once(server, 'message');
  return { url: `http://127.0.0.1:${port}`, close: () => server.terminate() };
}
