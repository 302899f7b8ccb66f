import { afterAll, expect, test } from 'vitest';
import { UsageError } from '../../cli/usage-error.ts';
import { Receiver } from './receiver.ts';

const receiver = new Receiver({});
afterAll(() => receiver.close());

const post = (url: string, body: string) => fetch(url, { method: 'POST', body, redirect: 'manual' });

test('each mailbox keeps its deliveries byte for byte, and responds as configured', async () => {
  const [one, other] = [await receiver.mailbox('one', '?a=b', () => ({ status: 503 })), await receiver.mailbox('other')];
  const { status } = await post(one.url, '{ "Code" : "ü" }');
  expect([status, one.arrivals.length, other.arrivals.length]).toEqual([503, 1, 0]);
  const [arrival] = one.arrivals;
  expect(arrival?.bytes.toString('utf8')).toBe('{ "Code" : "ü" }');
  expect(arrival).toMatchObject({ method: 'POST', payload: { Code: 'ü' }, unfinishedBefore: 0 });
  expect(arrival?.path.endsWith('?a=b')).toBe(true);
});

test('a body that is not a JSON object is kept without a payload; an unknown address returns 404', async () => {
  const { url, arrivals } = await receiver.mailbox('odd');
  await post(url, '[1]');
  expect(arrivals.map(({ payload }) => payload)).toEqual([undefined]);
  expect((await post(`${new URL(url).origin}/unknown`, '{}')).status).toBe(404);
});

test('a response can be delayed; a delivery that arrives meanwhile shows how many have no response', async () => {
  let release = () => {};
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  const box = await receiver.mailbox('slow', '', (_, { arrivals }) =>
    arrivals.length === 0 ? { status: 200, after } : { status: 204 },
  );
  const first = post(box.url, '{}');
  expect(await receiver.until(() => box.arrivals.length === 1, 5_000)).toBe(true);
  expect((await post(box.url, '{}')).status).toBe(204);
  expect(box.arrivals.map(({ unfinishedBefore }) => unfinishedBefore)).toEqual([0, 1]);
  release();
  expect((await first).status).toBe(200);
  expect(await receiver.until(() => box.arrivals.length === 3, 1)).toBe(false);
});

test('the URL of the receiver can be configured, and a gateway may change the path before the name of the mailbox', async () => {
  const proxied = new Receiver({ listen: '127.0.0.1:0', url: 'https://tunnel.example/hooks/' });
  const box = await proxied.mailbox('far');
  expect(box.url).toMatch(/^https:\/\/tunnel\.example\/hooks\/[0-9a-f-]{36}$/);
  await proxied.close();
});

test('the first delivery sets the deadline of all others, unless the user set it', () => {
  const deadlines = (delays: readonly number[], given?: number) => {
    const calibrated = new Receiver({}, undefined, given);
    for (const delay of delays) calibrated.calibrate('a delivery', delay);
    return calibrated.deadline;
  };
  expect([deadlines([1]), deadlines([800]), deadlines([800, 3_000]), deadlines([20_000])]).toEqual([5_000, 8_000, 8_000, 60_000]);
  expect(deadlines([800], 1_234)).toBe(1_234);
  expect(() => deadlines([800], 700)).toThrow(/after 0\.8 s; the deadline was 0\.7 s/);
});

test.each([{ listen: 'nowhere' }, { listen: '127.0.0.1' }, { url: 'ftp://example.com' }, { url: 'example.com' }])(
  'an invalid address is a usage error: %o',
  (place) => {
    expect(() => new Receiver(place)).toThrow(UsageError);
  },
);
