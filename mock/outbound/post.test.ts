import { expect, onTestFinished, test } from 'vitest';
import { TestReceiver } from '../testing/receiver-fixture.ts';
import { HttpPoster } from './post.ts';

function posterOf(seconds: number, followsRedirects = false) {
  const poster = new HttpPoster();
  onTestFinished(() => poster.close());
  const limits = { seconds, followsRedirects };
  return (url: string) => poster.post(url, Buffer.from('{}'), { 'content-type': 'application/json' }, limits);
}

test('delivery.failure: a receiver that does not respond in time has failed', async () => {
  const receiver = await TestReceiver.start();
  receiver.respond = () => {};
  expect(await posterOf(0.05)(receiver.url)).toEqual({ error: 'no response within 0.05 seconds' });
  expect(receiver.received).toHaveLength(1);
});

test('the status counts as soon as it arrives, even if the body never ends', async () => {
  const receiver = await TestReceiver.start();
  receiver.respond = (response) => {
    response.writeHead(202);
    response.write('and then nothing more');
  };
  expect(await posterOf(60)(receiver.url)).toMatchObject({ status: 202 });
  receiver.respond = (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('cut off', () => response.socket?.destroy());
  };
  expect(await posterOf(5)(receiver.url)).toMatchObject({ status: 200 });
});

test('delivery.any-2xx-succeeds: interim responses do not count', async () => {
  const receiver = await TestReceiver.start();
  receiver.respond = (response) => {
    response.writeContinue();
    response.writeProcessing();
    response.end('thanks');
  };
  expect(await posterOf(5)(receiver.url)).toMatchObject({ status: 200, body: 'thanks' });
});

test('a receiver that switches protocols is an error', async () => {
  const receiver = await TestReceiver.start();
  receiver.respond = (response) => response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end();
  expect(await posterOf(5)(receiver.url)).toEqual({ error: expect.any(String) });
});

test.each([
  [301, 'GET', ''],
  [302, 'GET', ''],
  [303, 'GET', ''],
  [307, 'POST', '{}'],
  [308, 'POST', '{}'],
])('delivery.redirects: a followed %d leads to a %s', async (status, method, body) => {
  const receiver = await TestReceiver.start();
  receiver.respond = (response, position) => response.writeHead(position < 5 ? status : 200, { location: `/${position}` }).end();
  expect(await posterOf(5, true)(receiver.url)).toMatchObject({ status: 200 });
  expect(receiver.received.at(-1)).toMatchObject({ method, path: '/4', bytes: Buffer.from(body) });
  receiver.respond = status;
  expect(await posterOf(5, true)(receiver.url)).toMatchObject({ status });
  receiver.respond = (response) => response.writeHead(status, { location: '/again' }).end();
  expect(await posterOf(5, true)(receiver.url)).toMatchObject({ status });
});

test('close ends a post that has no response', async () => {
  const receiver = await TestReceiver.start();
  receiver.respond = () => poster.close();
  const poster = new HttpPoster();
  const limits = { seconds: 60, followsRedirects: false };
  expect(await poster.post(receiver.url, Buffer.from('{}'), {}, limits)).toEqual({ error: expect.any(String) });
});

test('a large response is not read to its end', async () => {
  const receiver = await TestReceiver.start();
  receiver.respond = (response) => {
    response.writeHead(200);
    const more = () => {
      while (response.write(Buffer.alloc(64 * 1024)) && !response.destroyed);
    };
    response.on('drain', more);
    more();
  };
  expect(await posterOf(5)(receiver.url)).toMatchObject({ status: 200 });
});

test('a receiver that closes the connection after each response costs its webhook no failure', async () => {
  const receiver = await TestReceiver.start();
  receiver.respond = (response) => {
    response.end();
    response.socket?.end();
  };
  const post = posterOf(5);
  for (let i = 0; i < 20; i++) expect(await post(receiver.url)).toMatchObject({ status: 200 });
  expect(new Set(receiver.received.map(({ headers }) => headers.connection))).toEqual(new Set(['close']));
});

test('a receiver without TLS is an error, and post does not reject', async () => {
  const receiver = await TestReceiver.start();
  expect(await posterOf(5)(receiver.url.replace('http:', 'https:'))).toEqual({ error: 'ERR_SSL_WRONG_VERSION_NUMBER' });
});

test('without TLS, posts and redirects go only to loopback addresses and allowed hosts', async () => {
  const refused = { error: 'the mock posts to shop.invalid only with TLS; allow http with --allow-http-webhooks' };
  expect(await posterOf(5)('http://shop.invalid/hook')).toEqual(refused);
  const receiver = await TestReceiver.start();
  receiver.respond = (response) => response.writeHead(307, { location: 'http://shop.invalid/hook' }).end();
  const poster = new HttpPoster(['other.invalid']);
  onTestFinished(() => poster.close());
  const limits = { seconds: 5, followsRedirects: true };
  expect(await poster.post(receiver.url, Buffer.from('{}'), {}, limits)).toEqual(refused);
  expect(await poster.post('http://other.invalid/hook', Buffer.from('{}'), {}, limits)).toEqual({
    error: expect.stringMatching(/^E/),
  });
});
