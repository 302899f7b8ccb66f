import { expect, onTestFinished, test } from 'vitest';
import { Receiver } from '../testing/receiver-fixture.ts';
import { HttpPoster } from './post.ts';

function posterOf(seconds: number) {
  const poster = new HttpPoster();
  onTestFinished(() => poster.close());
  const limits = { seconds, followsRedirects: false };
  return (url: string) => poster.post(url, Buffer.from('{}'), { 'content-type': 'application/json' }, limits);
}

test('delivery.failure: a receiver that does not answer in time has failed', async () => {
  const receiver = await Receiver.start();
  receiver.answer = () => {};
  expect(await posterOf(0.05)(receiver.url)).toEqual({ error: 'no answer within 0.05 seconds' });
  expect(receiver.received).toHaveLength(1);
});

test('a status counts as soon as it is there, whatever becomes of the body', async () => {
  const receiver = await Receiver.start();
  receiver.answer = (response) => {
    response.writeHead(202);
    response.write('and then nothing more');
  };
  expect(await posterOf(60)(receiver.url)).toMatchObject({ status: 202 });
  receiver.answer = (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('cut off', () => response.socket?.destroy());
  };
  expect(await posterOf(5)(receiver.url)).toMatchObject({ status: 200 });
});

test('a large answer is not read to its end', async () => {
  const receiver = await Receiver.start();
  receiver.answer = (response) => {
    response.writeHead(200);
    const more = () => {
      while (response.write(Buffer.alloc(64 * 1024)) && !response.destroyed);
    };
    response.on('drain', more);
    more();
  };
  expect(await posterOf(5)(receiver.url)).toMatchObject({ status: 200 });
});

test('a receiver may hang up after every answer without costing its webhook a failure, since no connection is used twice', async () => {
  const receiver = await Receiver.start();
  receiver.answer = (response) => {
    response.end();
    response.socket?.end();
  };
  const post = posterOf(5);
  for (let i = 0; i < 20; i++) expect(await post(receiver.url)).toMatchObject({ status: 200 });
  expect(new Set(receiver.received.map(({ headers }) => headers.connection))).toEqual(new Set(['close']));
});

test('a receiver that does not speak TLS is an error and not a throw', async () => {
  const receiver = await Receiver.start();
  expect(await posterOf(5)(receiver.url.replace('http:', 'https:'))).toEqual({ error: 'ERR_SSL_WRONG_VERSION_NUMBER' });
});

test('without TLS nothing leaves this machine but to hosts that are allowed by name, redirects included', async () => {
  const refused = { error: 'nothing is posted to shop.invalid without TLS; name it with --allow-http-webhooks' };
  expect(await posterOf(5)('http://shop.invalid/hook')).toEqual(refused);
  const receiver = await Receiver.start();
  receiver.answer = (response) => response.writeHead(307, { location: 'http://shop.invalid/hook' }).end();
  const poster = new HttpPoster(['other.invalid']);
  onTestFinished(() => poster.close());
  const limits = { seconds: 5, followsRedirects: true };
  expect(await poster.post(receiver.url, Buffer.from('{}'), {}, limits)).toEqual(refused);
  expect(await poster.post('http://other.invalid/hook', Buffer.from('{}'), {}, limits)).toEqual({
    error: expect.stringMatching(/^E/),
  });
});
