import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFailed, onTestFinished } from 'vitest';
import { Chance } from '../crash/mock/actor.ts';
import { KEY } from '../crash/mock/expected-card.ts';
import { Load } from '../replicas/harness/load.ts';
import type { PostgresServer } from '../replicas/harness/postgres.ts';
import { Replicas } from '../replicas/harness/replicas.ts';
import { faultsOfFolder, faultsOfReplicas, type MachineFault } from './nemesis.ts';
import { CutProxy, proxyToLeader } from './network.ts';
import { CardReaders, RecordingClient, unexplainedCards } from './recording.ts';

/** The largest number of faults under load between two checks of the whole state. */
const MOST_FAULTS = 3;
/** A fault can interrupt a delivery of each webhook when it begins, and another one when it ends. */
const INTERRUPTIONS = 2;
/** The milliseconds within which every mock is healthy after the last fault. */
const RECOVERED = 30_000;
/** The milliseconds after which no request waits any more because of a fault: five seconds, and one for a busy machine. */
const REFUSED = 6000;
/** The responses that a client may get during a fault. Without a status, its connection broke. */
const UNKNOWN = [undefined, 503];

/** What happened to one kind of fault, for the table that the test prints. */
interface Seen {
  times: number;
  /** The longest time without service, in milliseconds: every request hung, failed or got 503. */
  longest: number;
  readonly limit: string;
}

/** Mocks, and the faults of the machines around them. */
interface Machines {
  readonly replicas: Replicas;
  readonly faults: readonly MachineFault[];
}

/** Starts one mock with a folder. `program` is the file that Node runs, if it is another one than the built program. */
export async function startWithFolder(program?: string): Promise<Machines> {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const replicas = await Replicas.start(join(folder, 'state'), { count: 1, program, movesClock: true });
  return { replicas, faults: faultsOfFolder(replicas) };
}

/** Starts three replicas with a database of their own. Proxies can cut their connections. */
export async function startWithPostgres(postgres: PostgresServer, program?: string): Promise<Machines> {
  const database = await postgres.database();
  const toDatabase = await Promise.all([0, 1, 2].map(() => CutProxy.start(async () => postgres.port)));
  const throughProxy = (index: number) => database.replace(`:${postgres.port}/`, `:${toDatabase[index]?.port}/`);
  const replicas = await Replicas.start(throughProxy, { program, movesClock: true });
  const toLeader = await proxyToLeader(postgres, database);
  await replicas.at(0).kill();
  await replicas.restart(0); // The next leader is reached through the proxy.
  return { replicas, faults: faultsOfReplicas(replicas, postgres, database, { toDatabase, toLeader }) };
}

/** Sends requests and causes faults for `duration` milliseconds, and checks everything that the mocks promise. Rejects at the first violation. */
export async function survives(
  { replicas, faults }: Machines,
  seed: number,
  duration: number,
  mostFaults = MOST_FAULTS,
): Promise<void> {
  const chance = new Chance(seed);
  const client = new RecordingClient(replicas.urls);
  const load = await Load.begin(client, { readers: new CardReaders(new Chance(seed), 3) });
  const seen = new Map<string, Seen>();
  onTestFailed(() => console.log(replicas.urls.map((_, index) => replicas.at(index).output).join('\n')));
  /** Causes a fault. Resolves with what ends it, and how long it lasts. */
  const begin = async (fault: MachineFault) => {
    await client.waitForResponses(chance.between(20, 200));
    const from = performance.now();
    const heal = await fault.begin(chance);
    const lasts = chance.is(80) ? chance.between(300, 3000) : chance.between(3000, 15_000);
    await pause(lasts);
    return { heal, from, lasts };
  };
  const end = performance.now() + duration;
  for (let ends = 0; performance.now() < end; ) {
    const faultCount = chance.between(0, mostFaults);
    ends += INTERRUPTIONS * (faultCount + 2);
    await load.during(async () => {
      for (let number = 0; number < faultCount; number++) {
        const fault = chance.pick(faults) as MachineFault;
        const { heal, from, lasts } = await begin(fault);
        await heal();
        await client.waitForResponses(50);
        const gap = client.longestGap(from, performance.now());
        const limit = fault.limit + (fault.after === 'end' ? lasts : 0);
        const { times = 0, longest = 0 } = seen.get(fault.name) ?? {};
        const text = `${fault.limit / 1000} s after its ${fault.after}`;
        seen.set(fault.name, { times: times + 1, longest: Math.max(longest, gap), limit: text });
        expect(gap, `seed ${seed}: without service while ${fault.name} for ${lasts} ms`).toBeLessThan(limit);
      }
      // Under load, later writes replace what a mock writes first after a fault. So the last fault ends while no client sends anything.
      const { heal } = await begin(chance.pick(faults) as MachineFault);
      client.isKilled = true;
      await pause(REFUSED);
      await heal();
    });
    await client.healthIs('ok', RECOVERED);
    await lookUpAndKill(client, replicas);
    expect(client.failures.splice(0).filter(({ status }) => !UNKNOWN.includes(status))).toEqual([]);
    await load.check(ends, performance.now() >= end);
    const unexplained = unexplainedCards(client.history);
    expect(unexplained, `seed ${seed}: ${unexplained.join('\n')}`).toEqual([]);
  }
  const rows = Array.from(seen, ([name, { times, longest, limit }]) => [name, times, `${(longest / 1000).toFixed(1)} s`, limit]);
  console.log(`seed ${seed}: ${client.responseCount} responses`);
  console.table(rows.map(([fault, times, longest, limit]) => ({ fault, times, 'longest time without service': longest, limit })));
}

async function lookUpAndKill(client: RecordingClient, replicas: Replicas): Promise<void> {
  await client.read('GET', '/api/GiftCard/List', undefined, KEY);
  await replicas.kill();
  for (const index of replicas.urls.keys()) await replicas.restart(index);
  await client.healthIs('ok', RECOVERED);
}
