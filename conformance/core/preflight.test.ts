import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { describeNetworkError } from '../http/transport.ts';
import { preflight } from './preflight.ts';
import { openSession } from './session.ts';

const emptyList = '{"giftCards":[],"totalCount":0}';

async function trouble(listener: RequestListener, scheme = 'http', path = '') {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const waits: number[] = [];
  const time = { now: () => 0, sleep: async (ms: number) => void waits.push(ms) };
  const session = openSession({ url, key: 'the-secret-key', profile: {} }, time);
  const says = await preflight(session);
  await session.client.close();
  server.close();
  return { says: says?.replaceAll(url, 'URL'), requests, waits };
}

test.each([301, 302, 303, 307, 308])(
  'a redirect (%i) is reported with the server it leads to and without the key',
  async (status) => {
    const location = 'https://service.example.com/api/the-secret-key';
    const { says, requests } = await trouble((_, response) => response.writeHead(status, { location }).end('<html>Moved</html>'));
    expect(says).toMatch(new RegExp(`redirects to https://service.example.com: .* returned ${status}\\.`));
    expect(says).not.toContain('the-secret-key');
    expect(requests).toBe(1);
  },
);

test.each([502, 503, 504])('a target that is not ready (%i) is tried twice', async (status) => {
  const never = await trouble((_, response) => response.writeHead(status).end());
  expect(never).toMatchObject({
    requests: 2,
    waits: [1_000],
    says: expect.stringContaining(`not ready: GET /api/GiftCard/List returned ${status} twice`),
  });
  let times = 0;
  const once = await trouble((_, response) => {
    times += 1;
    response.writeHead(times === 1 ? status : 200).end(emptyList);
  });
  expect(once).toMatchObject({ requests: 2, says: undefined });
});

test('a target that returns a list is tested after one request', async () => {
  expect(await trouble((_, response) => response.end(emptyList))).toMatchObject({ requests: 1, says: undefined });
});

test('a base URL that ends in /api is reported if its paths are unknown', async () => {
  const { says } = await trouble((_, response) => response.writeHead(404).end(), 'http', '/api');
  expect(says).toContain('Check the base URL: the suite appends /api/… to this URL.');
  const found = await trouble((_, response) => response.end(emptyList), 'http', '/api');
  expect(found.says).toBeUndefined();
});

test('http to an https port, and https to an http port, are reported', async () => {
  const { says } = await trouble((_, response) => response.end(), 'https');
  expect(says).toMatch(/does not use TLS/);
  const closed = await trouble((request) => request.socket.destroy());
  expect(closed.says).toContain('give its https URL');
});

test('an untrusted certificate is reported with the remedy', () => {
  const why = (code: string, message: string) => describeNetworkError(Object.assign(new Error(message), { code }));
  expect(why('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate')).toMatch(/NODE_EXTRA_CA_CERTS/);
  expect(why('CERT_HAS_EXPIRED', 'certificate has expired')).toBe('certificate has expired');
  expect(why('ECONNREFUSED', '')).toBe('ECONNREFUSED');
});
