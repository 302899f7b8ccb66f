import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Transport } from './transport.ts';

test('a connection is used again for what follows at once, and not when it was idle for a second', async () => {
  let connections = 0;
  // It says nothing of how long it keeps connections.
  const server = createServer({ keepAliveTimeout: 0 }, (_, response) => response.end('yes'));
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const transport = new Transport(undefined);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sent = { base, own: true, odd: false, method: 'GET', path: '/api', headers: {}, text: undefined };
  for (let time = 0; time < 5; time += 1) await transport.carry(sent);
  // One is still being given back when the second request leaves.
  const used = connections;
  expect(used).toBeLessThan(3);
  await sleep(1_300);
  await transport.carry(sent);
  expect(connections).toBe(used + 1);
  await transport.close();
  server.close();
});
