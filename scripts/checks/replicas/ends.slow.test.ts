import { afterAll, beforeAll, expect, test } from 'vitest';
import { Load } from './harness/load.ts';
import { startNginx } from './harness/nginx.ts';
import { PostgresServer } from './harness/postgres.ts';
import { type Failure, Replicas, SpreadClient } from './harness/replicas.ts';

/** The number of requests between two events of a test. */
const SOME = 200;
/** Milliseconds. A replica waits five seconds for a leader. */
const TIME_LIMIT = 8000;
/** Milliseconds for which the leader stops. Another replica leads after ten seconds, and then responds to the requests to which the leader has not responded. */
const PAUSE_OF_LEADER = 12_000;

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres.remove());

/**
 * The connection to the replica broke, so nginx returns 502. Or the replica's connection to the leader broke, and the request may have happened in part,
 * which is possible only at the control API: the replica returns 503.
 */
const isInterrupted = ({ status, request }: Failure) =>
  status === undefined || status === 502 || (status === 503 && request.includes(' /__mock/'));

test.each([
  ['the leader', 0],
  ['a follower', 1],
])('%s is killed under load: nothing acknowledged is lost, and no delivery is posted twice', async (_, index) => {
  const replicas = await Replicas.start(await postgres.database());
  const client = new SpreadClient(replicas.urls);
  const load = await Load.begin(client);
  await load.during(async () => {
    await client.waitForResponses(SOME);
    const killed = replicas.at(index).kill();
    client.urls = replicas.urls.filter((_, each) => each !== index);
    await killed;
    await client.waitForResponses(SOME);
    await replicas.restart(index);
    client.urls = replicas.urls;
    await client.waitForResponses(SOME);
  });
  expect(client.failures.filter((failure) => !isInterrupted(failure))).toEqual([]);
  expect(client.slowest).toBeLessThan(TIME_LIMIT);
  await load.check(1);
});

test('a rolling restart behind nginx loses nothing, and fails only requests whose connection broke', async () => {
  const replicas = await Replicas.start(await postgres.database());
  const client = new SpreadClient([await startNginx(replicas.urls)]);
  const load = await Load.begin(client, { repeatsDeletes: true });
  await load.during(async () => {
    for (const index of [0, 1, 2]) {
      await client.waitForResponses(SOME);
      expect(await replicas.at(index).stop()).toBe(0);
      await client.waitForResponses(SOME);
      await replicas.restart(index);
    }
    await client.waitForResponses(SOME);
  });
  expect(client.failures.filter((failure) => !isInterrupted(failure))).toEqual([]);
  expect(client.failures.length).toBeLessThanOrEqual(10);
  await load.check(3);
});

test('a leader that stops for a time does not write after another replica leads', async () => {
  const replicas = await Replicas.start(await postgres.database());
  const [, ...followers] = replicas.urls;
  const client = new SpreadClient(followers);
  const load = await Load.begin(client);
  await load.during(async () => {
    await client.waitForResponses(SOME);
    const leader = replicas.at(0);
    leader.signal('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, PAUSE_OF_LEADER));
    await client.waitForResponses(SOME);
    leader.signal('SIGCONT');
    client.urls = replicas.urls;
    await client.waitForResponses(SOME);
  });
  const leads = (index: number) => replicas.at(index).output.includes('This replica leads now');
  const [other, ...none] = [1, 2].filter((index) => !leads(index));
  expect(none).toEqual([]);
  expect(replicas.at(other ?? 0).output.match(/passes all requests on/g)).toHaveLength(2);
  expect(client.failures.filter(({ status }) => status !== 503)).toEqual([]);
  expect(client.slowest).toBeLessThan(PAUSE_OF_LEADER + TIME_LIMIT);
  await load.check(1);
});
