import { execFileSync } from 'node:child_process';
import type { Chance } from '../crash/mock/actor.ts';
import type { PostgresServer } from '../replicas/harness/postgres.ts';
import type { Replicas } from '../replicas/harness/replicas.ts';
import type { CutProxy } from './network.ts';

/** Ends a fault. */
type Heal = () => unknown;

/** A fault of the machines around the mocks. */
export interface MachineFault {
  readonly name: string;
  /** The longest time without service, in milliseconds, after the fault has begun or, if nothing can work during the fault, after its end. */
  readonly limit: number;
  readonly after: 'begin' | 'end';
  begin(chance: Chance): Promise<Heal> | Heal;
}

/** Milliseconds: ten until another replica leads, five until a request gets 503 or the mock has recovered, and five more for a busy machine. */
const LEASE = 15_000;
const RECOVERY = 10_000;

const fault = (name: string, after: MachineFault['after'], limit: number, begin: MachineFault['begin']): MachineFault => {
  return { name, after, limit, begin };
};

/** Faults of the processes: of one mock that keeps its state in a folder, or of replicas. `moves` are the signals that move their clocks. */
function processFaults(replicas: Replicas, moves: readonly ('SIGUSR2' | 'SIGWINCH')[]): MachineFault[] {
  const anyOf = (chance: Chance) => chance.between(0, replicas.urls.length - 1);
  return [
    fault('a mock is killed', 'end', RECOVERY, async (chance) => {
      const index = anyOf(chance);
      await replicas.at(index).kill();
      return () => replicas.restart(index);
    }),
    fault('a mock stops and continues', 'end', LEASE, (chance) => {
      const mock = replicas.at(anyOf(chance));
      mock.signal('SIGSTOP');
      return () => mock.signal('SIGCONT');
    }),
    fault('the system clock of a mock moves by an hour', 'begin', RECOVERY, (chance) => {
      replicas.at(anyOf(chance)).signal(chance.pick(moves) as 'SIGUSR2');
      return () => {};
    }),
  ];
}

/** Faults of one mock that keeps its state in a folder. A file that cannot grow is a disk without space. */
export function faultsOfFolder(replicas: Replicas): readonly MachineFault[] {
  const fileSize = (limit: string) => execFileSync('prlimit', ['--pid', `${replicas.at(0).pid}`, `--fsize=${limit}:`]);
  const full = fault('the disk is full', 'end', RECOVERY, () => {
    fileSize('1');
    return () => fileSize('unlimited');
  });
  return [...processFaults(replicas, ['SIGUSR2']), full];
}

/** Faults of replicas, of their network, and of their database. */
export function faultsOfReplicas(
  replicas: Replicas,
  postgres: PostgresServer,
  database: string,
  { toDatabase, toLeader }: { readonly toDatabase: readonly CutProxy[]; readonly toLeader: CutProxy },
): readonly MachineFault[] {
  const cut = (proxy: CutProxy | undefined, link: 'dropped' | 'rejected'): Heal => {
    proxy?.setLink(link);
    return () => proxy?.setLink('open');
  };
  const cuts = (['dropped', 'rejected'] as const).flatMap((link) => [
    fault(`the connections of a replica to the database are ${link}`, 'begin', LEASE, (chance) =>
      cut(chance.pick(toDatabase), link),
    ),
    fault(`the connections of the followers to the leader are ${link}`, 'begin', RECOVERY, () => cut(toLeader, link)),
    fault(
      `the connections of a replica to the database and of the followers to the leader are ${link}`,
      'begin',
      LEASE,
      (chance) => {
        const heals = [cut(chance.pick(toDatabase), link), cut(toLeader, link)];
        return () => heals.forEach((heal) => void heal());
      },
    ),
  ]);
  const othersEnd =
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
  return [
    ...processFaults(replicas, ['SIGUSR2', 'SIGWINCH']),
    ...cuts,
    fault('PostgreSQL ends and starts', 'end', RECOVERY, async () => {
      await postgres.end();
      return () => postgres.begin();
    }),
    fault('PostgreSQL stops and continues', 'end', RECOVERY, () => {
      postgres.signal('STOP');
      return () => postgres.signal('CONT');
    }),
    fault('PostgreSQL ends all connections', 'begin', RECOVERY, async () => {
      await postgres.run(database, othersEnd);
      return () => {};
    }),
  ];
}
