import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Peers } from './peers.ts';
import { OtherLeads, StoreUnavailable } from './store.ts';

async function start(handle: (message: unknown) => Promise<unknown> = async (message) => message): Promise<Peers> {
  const peers = await new Peers().listen('127.0.0.1', handle);
  onTestFinished(() => peers.close());
  return peers;
}

test('many messages share a connection, and each gets its own response, in any order and of any size', async () => {
  const leader = await start(async (message) => {
    const { number, body } = message as { number: number; body: Buffer };
    await new Promise((resolve) => setTimeout(resolve, (number * 7) % 20));
    return { number, length: body.length, last: body.at(-1) };
  });
  const follower = await start();
  const sizes = Array.from({ length: 200 }, (_, number) => (number % 50 === 0 ? 5_000_000 : number));
  const send = (size: number, number: number) => follower.send(leader.own, { number, body: Buffer.alloc(size, number) });
  const responses = await Promise.all(sizes.map(send));
  expect(responses).toEqual(sizes.map((length, number) => ({ number, length, last: length === 0 ? undefined : number })));
});

test('a connection with another token is ended, and nothing is handled', async () => {
  const handled: unknown[] = [];
  const leader = await start(async (message) => handled.push(message));
  const follower = await start();
  const other = { ...leader.own, token: follower.own.token };
  await expect(follower.send(other, 'secret')).rejects.toMatchObject({ why: 'unknown' });
  const socket = connect(leader.own.port, '127.0.0.1');
  socket.end(Buffer.alloc(1_000_000, 'x'));
  await new Promise((resolve) =>
    socket
      .on('error', () => {})
      .on('close', resolve)
      .resume(),
  );
  expect(handled).toEqual([]);
  await follower.send(leader.own, 'known');
  expect(handled).toEqual(['known']);
});

test('says why a message has no response', async () => {
  const errors = [new OtherLeads({ host: 'other', port: 1, token: '' }), new StoreUnavailable('The disk is full')];
  const leader = await start(async () => {
    throw errors.shift();
  });
  const follower = await start();
  await expect(follower.send(leader.own, 1)).rejects.toMatchObject({ why: 'not handled' });
  await expect(follower.send(leader.own, 1)).rejects.toThrow(/^The disk is full$/);
  await leader.close();
  follower.drop();
  await expect(follower.send(leader.own, 1)).rejects.toMatchObject({ why: 'ended' });
  expect(await follower.ping(leader.own)).toMatchObject({ why: 'ended' });
});

test('`drop` ends the messages under way, and the next message uses a new connection', async () => {
  const waits = [new Promise(() => {}), Promise.resolve('second')];
  const leader = await start(async () => waits.shift());
  const follower = await start();
  const first = follower.send(leader.own, 1);
  setTimeout(() => follower.drop(), 50);
  await expect(first).rejects.toMatchObject({ why: 'unknown' });
  expect(await follower.send(leader.own, 2)).toBe('second');
});

test('a replica that closes has sent the responses that are ready', async () => {
  const leader = await start(async (message) => message);
  const follower = await start();
  await follower.ping(leader.own);
  const responses = Promise.all([1, 2, 3].map((number) => follower.send(leader.own, number)));
  const handled = follower.send(leader.own, 'handled');
  await handled;
  await leader.close();
  expect(await responses).toEqual([1, 2, 3]);
});

test('a ping does not wait behind a long message', async () => {
  const leader = await start(async () => 'read');
  const follower = await start();
  const long = follower.send(leader.own, Buffer.alloc(30_000_000));
  expect(await follower.ping(leader.own)).toBeUndefined();
  expect(await long).toBe('read');
});

test('a peer that does not respond is noticed by a ping within seconds', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  silent.on('connection', (socket) => onTestFinished(() => void socket.destroy()));
  const follower = await start();
  const { port } = silent.address() as { port: number };
  expect(await follower.ping({ ...follower.own, port })).toMatchObject({ why: 'unknown' });
}, 10_000);
