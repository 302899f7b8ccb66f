import { afterAll, beforeAll, expect, test } from 'vitest';
import { isSample, ranAtLeast } from '../../sample.ts';
import { Chance } from '../crash/mock/actor.ts';
import { Load } from './harness/load.ts';
import { PostgresServer } from './harness/postgres.ts';
import { Replicas, SpreadClient } from './harness/replicas.ts';

const SEEDS = isSample ? [1] : [1, 2, 3, 4, 5, 6];
ranAtLeast({ whole: 6, sample: 1 });
/** The state is checked after each round. */
const ROUNDS = 4;
const ENDS_PER_ROUND = 2;

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres.remove());

test.each(SEEDS)(
  'replicas and the database end at random points under load: nothing acknowledged is lost, seed %i',
  {
    timeout: 180_000,
  },
  async (seed) => {
    const chance = new Chance(seed);
    const replicas = await Replicas.start(await postgres.database());
    const client = new SpreadClient(replicas.urls);
    const load = await Load.begin(client);
    for (let round = 1; round <= ROUNDS; round++) {
      await load.during(async () => {
        await client.waitForResponses(chance.between(1, 200));
        for (let end = 0; end < ENDS_PER_ROUND; end++) {
          await endAndRestart(replicas, client, chance);
          await client.waitForResponses(chance.between(1, 100));
        }
      });
      expect(client.failures.filter(({ status }) => status !== undefined && status !== 503)).toEqual([]);
      await load.check(round * ENDS_PER_ROUND);
    }
  },
);

async function endAndRestart(replicas: Replicas, client: SpreadClient, chance: Chance): Promise<void> {
  const [one, other, third] = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
  ][chance.between(0, 2)] as [number, number, number];
  const kind = chance.between(1, 10);
  if (kind <= 5) {
    await replicas.at(one).kill();
    await client.waitForResponses(chance.between(1, 30));
    await replicas.restart(one);
  } else if (kind <= 7) {
    await replicas.at(one).stop();
    await replicas.restart(one);
  } else if (kind === 8) {
    await postgres.end();
    await postgres.begin();
  } else if (kind === 9) {
    await Promise.all([replicas.at(one).kill(), replicas.at(other).kill()]);
    await replicas.restart(one);
    await replicas.restart(other);
  } else {
    await replicas.kill();
    await Promise.all([one, other, third].map((each) => replicas.restart(each)));
  }
}
