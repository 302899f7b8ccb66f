import { execFileSync } from 'node:child_process';
import type { Chance } from '../crash/mock/actor.ts';
import type { PostgresServer } from '../replicas/harness/postgres.ts';
import type { Replicas } from '../replicas/harness/replicas.ts';
import type { CutProxy } from './network.ts';

/** A fault of the machines around the mocks. */
export interface MachineFault {
  readonly name: string;
  /** The longest time without service, in milliseconds. With `lasts`, the duration of the fault is added. */
  readonly limit: number;
  readonly lasts?: true;
  /** Returns a function that ends the fault. */
  begin(chance: Chance): Promise<() => Promise<void>>;
}

/** The milliseconds after which another replica leads, and those within which a mock has recovered. Both with ten seconds for a busy machine. */
const LEASE = 25_000;
const RECOVERY = 15_000;

const anyOf = (replicas: Replicas, chance: Chance) => chance.between(0, replicas.urls.length - 1);

/** Faults of the processes: of one mock that keeps its state in a folder, or of replicas. */
function processFaults(replicas: Replicas): MachineFault[] {
  return [
    {
      name: 'a mock is killed',
      limit: RECOVERY,
      lasts: true,
      begin: async (chance) => {
        const index = anyOf(replicas, chance);
        await replicas.at(index).kill();
        return () => replicas.restart(index);
      },
    },
    {
      name: 'a mock stops and continues',
      limit: LEASE,
      lasts: true,
      begin: async (chance) => {
        const mock = replicas.at(anyOf(replicas, chance));
        mock.signal('SIGSTOP');
        return async () => mock.signal('SIGCONT');
      },
    },
  ];
}

/** Faults of one mock that keeps its state in a folder. A file that cannot grow is a disk without space. */
export function faultsOfFolder(replicas: Replicas): readonly MachineFault[] {
  const fileSize = (limit: string) => execFileSync('prlimit', ['--pid', `${replicas.at(0).pid}`, `--fsize=${limit}:`]);
  return [
    ...processFaults(replicas),
    {
      name: 'the disk is full',
      limit: RECOVERY,
      lasts: true,
      begin: async () => {
        fileSize('1');
        return async () => void fileSize('unlimited');
      },
    },
  ];
}

/** Faults of replicas, of their network, and of their database. */
export function faultsOfReplicas(
  replicas: Replicas,
  postgres: PostgresServer,
  database: string,
  { toDatabase, toLeader }: { readonly toDatabase: readonly CutProxy[]; readonly toLeader: CutProxy },
): readonly MachineFault[] {
  const cuts = (['dropped', 'rejected'] as const).flatMap((link): MachineFault[] => [
    {
      name: `the connections of a replica to the database are ${link}`,
      limit: LEASE,
      begin: async (chance) => {
        const proxy = toDatabase[anyOf(replicas, chance)] as CutProxy;
        proxy.link = link;
        return async () => {
          proxy.link = 'open';
        };
      },
    },
    {
      name: `the connections of the followers to the leader are ${link}`,
      limit: RECOVERY,
      begin: async () => {
        toLeader.link = link;
        return async () => {
          toLeader.link = 'open';
        };
      },
    },
  ]);
  return [
    ...processFaults(replicas),
    ...cuts,
    {
      name: 'PostgreSQL ends and starts',
      limit: RECOVERY,
      lasts: true,
      begin: async () => {
        await postgres.end();
        return () => postgres.begin();
      },
    },
    {
      name: 'PostgreSQL stops and continues',
      limit: RECOVERY,
      lasts: true,
      begin: async () => {
        postgres.signal('STOP');
        return async () => postgres.signal('CONT');
      },
    },
    {
      name: 'PostgreSQL ends all connections',
      limit: RECOVERY,
      begin: async () => {
        const others = 'datname = current_database() AND pid <> pg_backend_pid()';
        await postgres.run(database, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`);
        return async () => {};
      },
    },
  ];
}
