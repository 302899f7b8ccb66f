import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { preflight } from './preflight.ts';
import { openSession } from './session.ts';
import { whyUnanswered } from './unanswered.ts';

async function trouble(listener: RequestListener, scheme = 'http') {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const waits: number[] = [];
  const time = { now: () => 0, sleep: async (ms: number) => void waits.push(ms) };
  const session = openSession({ url, key: 'the-secret-key', profile: {} }, time);
  const says = await preflight(session);
  await session.client.close();
  server.close();
  return { says: says?.replaceAll(url, 'URL'), asked, waits };
}

test.each([301, 302, 303, 307, 308])('a target that answers %i elsewhere is none, and where it leads is told', async (status) => {
  const location = 'https://service.example.com/api/GiftCard/List?key=the-secret-key';
  const { says, asked } = await trouble((_, response) => response.writeHead(status, { location }).end('<html>Moved</html>'));
  expect(says).toBe(
    `The target URL sends everybody elsewhere: GET /api/GiftCard/List answered ${status}, and leads to https://service.example.com/api/GiftCard/List. The key is not carried there; give the URL at which the service itself answers.`,
  );
  expect(asked).toBe(1);
});

test('one that says the key when it does', async () => {
  const { says } = await trouble((_, response) => response.writeHead(302, { location: '/of/the-secret-key' }).end());
  expect(says).toContain('GET /api/GiftCard/List answered 302. The key is not carried');
});

test('one that leads nowhere', async () => {
  const { says } = await trouble((_, response) => response.writeHead(302).end());
  expect(says).toContain('GET /api/GiftCard/List answered 302. The key is not carried');
});

test.each([502, 503, 504])('a target that is not ready (%i) is asked once more', async (status) => {
  const never = await trouble((_, response) => response.writeHead(status).end());
  expect(never).toMatchObject({
    asked: 2,
    waits: [1_000],
    says: expect.stringContaining(`not ready: GET /api/GiftCard/List answered ${status}, twice`),
  });
  let times = 0;
  const once = await trouble((_, response) => {
    times += 1;
    response.writeHead(times === 1 ? status : 200).end('{}');
  });
  expect(once).toMatchObject({ asked: 2, says: undefined });
});

test.each([200, 404, 500])('one that answers %i is judged', async (status) => {
  expect(await trouble((_, response) => response.writeHead(status).end('{}'))).toMatchObject({ asked: 1, says: undefined });
});

test('one that speaks the other protocol', async () => {
  const { says } = await trouble((_, response) => response.end(), 'https');
  expect(says).toBe(
    'The target URL could not be reached: GET /api/GiftCard/List?pageSize=1 got no answer: it does not speak TLS there, perhaps plain http. Is it running, and at this address?',
  );
  const closed = await trouble((request) => request.socket.destroy());
  expect(closed.says).toContain('other side closed. If it speaks TLS there, give its https URL.');
});

test('of a certificate that nobody trusts the way out is told', () => {
  const why = (code: string, message: string) => whyUnanswered(Object.assign(new Error(message), { code }));
  expect(why('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate')).toMatch(
    /^self-signed certificate; .* NODE_EXTRA_CA_CERTS$/,
  );
  expect(why('CERT_HAS_EXPIRED', 'certificate has expired')).toBe('certificate has expired');
  expect(why('ECONNREFUSED', '')).toBe('ECONNREFUSED');
});
