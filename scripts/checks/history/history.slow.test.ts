import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFailed, onTestFinished, test } from 'vitest';
import { isSample, ranAtLeast } from '../../sample.ts';
import { Chance } from '../crash/mock/actor.ts';
import { Load } from '../replicas/harness/load.ts';
import { PostgresServer } from '../replicas/harness/postgres.ts';
import { Replicas } from '../replicas/harness/replicas.ts';
import { faultsOfFolder, faultsOfReplicas, type MachineFault } from './nemesis.ts';
import { CutProxy, proxyToLeader } from './network.ts';
import { CardReaders, RecordingClient, unexplainedCards } from './recording.ts';

/** Clients, readers and faults run for this time per store and seed, in milliseconds. */
const DURATION = isSample ? 30_000 : 300_000;
const SEEDS = isSample ? [1] : [1, 2, 3];
ranAtLeast({ whole: 6, sample: 2 });
/** Faults between two checks of the whole state. */
const FAULTS_PER_ROUND = 3;
/** The milliseconds within which every mock is healthy after the last fault. */
const RECOVERED = 30_000;
/** The responses that a client may get during a fault. Without a status, its connection broke. */
const UNKNOWN = [undefined, 503];

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres.remove());

/** What happened to one kind of fault, for the table that the test prints. */
interface Seen {
  times: number;
  /** The longest time without service, in milliseconds: every request hung, failed or got 503. */
  longest: number;
  readonly limit: string;
}

async function survives(faults: readonly MachineFault[], replicas: Replicas, seed: number): Promise<void> {
  const chance = new Chance(seed);
  const client = new RecordingClient(replicas.urls);
  const load = await Load.begin(client, { readers: new CardReaders(new Chance(seed), 3) });
  const seen = new Map<string, Seen>();
  onTestFailed(() => console.log(replicas.urls.map((_, index) => replicas.at(index).output).join('\n')));
  const end = performance.now() + DURATION;
  for (let ends = 0; performance.now() < end; ) {
    await load.during(async () => {
      for (let number = 0; number < FAULTS_PER_ROUND; number++, ends++) {
        const fault = faults[chance.between(0, faults.length - 1)] as MachineFault;
        await client.waitForResponses(chance.between(20, 200));
        const from = performance.now();
        const heal = await fault.begin(chance);
        const duration = chance.is(80) ? chance.between(300, 3000) : chance.between(3000, 15_000);
        await pause(duration);
        await heal();
        await client.waitForResponses(50);
        const gap = client.longestGap(from, performance.now());
        const limit = fault.limit + (fault.after === 'end' ? duration : 0);
        const { times = 0, longest = 0 } = seen.get(fault.name) ?? {};
        const text = `${fault.limit / 1000} s after its ${fault.after}`;
        seen.set(fault.name, { times: times + 1, longest: Math.max(longest, gap), limit: text });
        expect(gap, `seed ${seed}: without service while ${fault.name} for ${duration} ms`).toBeLessThan(limit);
      }
    });
    expect(client.failures.splice(0).filter(({ status }) => !UNKNOWN.includes(status))).toEqual([]);
    await client.healthIs('ok', RECOVERED);
    await load.check(ends);
    expect(unexplainedCards(client.history).join('\n'), `seed ${seed}`).toBe('');
  }
  const rows = Array.from(seen, ([name, { times, longest, limit }]) => [name, times, `${(longest / 1000).toFixed(1)} s`, limit]);
  console.log(`seed ${seed}: ${client.responseCount} responses`);
  console.table(rows.map(([fault, times, longest, limit]) => ({ fault, times, 'longest time without service': longest, limit })));
}

test.each(SEEDS)('a mock with a folder, seed %i', { timeout: DURATION + 240_000 }, async (seed) => {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const replicas = await Replicas.start(join(folder, 'state'), undefined, 1);
  await survives(faultsOfFolder(replicas), replicas, seed);
});

test.each(SEEDS)('three replicas with PostgreSQL, seed %i', { timeout: DURATION + 240_000 }, async (seed) => {
  const database = await postgres.database();
  const toDatabase = await Promise.all([0, 1, 2].map(() => CutProxy.start(async () => postgres.port)));
  const throughProxy = (index: number) => database.replace(`:${postgres.port}/`, `:${toDatabase[index]?.port}/`);
  const replicas = await Replicas.start(throughProxy);
  const toLeader = await proxyToLeader(postgres, database);
  await replicas.at(0).kill();
  await replicas.restart(0); // The next leader is reached through the proxy.
  await survives(faultsOfReplicas(replicas, postgres, database, { toDatabase, toLeader }), replicas, seed);
});
