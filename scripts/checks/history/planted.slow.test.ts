import { afterAll, beforeAll, expect, test } from 'vitest';
import { isSample, ranAtLeast } from '../../sample.ts';
import { PostgresServer } from '../replicas/harness/postgres.ts';
import { startWithFolder, startWithPostgres, survives } from './machines.ts';
import { plantedProgram, type SourceChange } from './planted.ts';

/** A defect of the stores that was there once, or that a hurried change could bring. */
interface Planted {
  readonly defect: string;
  readonly store: 'folder' | 'PostgreSQL';
  readonly seed: number;
  /** The fault of the machines that shows the defect. */
  readonly during: string;
  readonly changes: readonly SourceChange[];
  /** True if only a quiet recovery shows the defect, so that no time is spent on faults under load. */
  readonly isQuiet?: boolean;
  /** What the test must say. */
  readonly found: RegExp;
}

const PERSISTENCE = 'mock/store/persistence.ts';
const REPLICA = 'mock/store/replica.ts';
const POSTGRES = 'mock/store/postgres-store.ts';
const CUT_OFF = 'the connections of a replica to the database and of the followers to the leader are rejected';

const PLANTED: readonly Planted[] = [
  {
    defect: 'unwritten changes stay in memory',
    store: 'folder',
    seed: 1,
    during: 'the disk is full',
    changes: [
      [
        PERSISTENCE,
        'await this.#load();\n    } catch (error) {\n      throw this.#refuse',
        'this.#accept(new WaitingRows(this.#sandbox));\n    } catch (error) {\n      throw this.#refuse',
      ],
    ],
    found: /must be|is missing|nothing explains|cannot be used/,
  },
  {
    defect: 'late rows of a failure are written',
    store: 'folder',
    seed: 1,
    during: 'the disk is full',
    isQuiet: true,
    changes: [
      [
        PERSISTENCE,
        'this.#waiting = undefined;\n    this.#sandbox.accounts.stop();\n',
        `this.late = [];
    this.#waiting = { add: (...row) => this.late.push(row) };
    this.#isPlanned = true;
    this.#sandbox.accounts.stop();
    this.#waiting = undefined;
`,
      ],
      [
        PERSISTENCE,
        'this.#waiting = waiting;\n',
        `this.#waiting = waiting;
    for (const [account, row] of this.late?.splice(0) ?? []) waiting.add(this.#sandbox.accounts.get(account?.id), row);
`,
      ],
    ],
    found: /deliver/,
  },
  {
    defect: 'responses before their writes',
    store: 'folder',
    seed: 1,
    during: 'a mock is killed',
    changes: [[PERSISTENCE, 'await this.stored();\n    if (failures', 'if (failures']],
    found: /is missing|must be|nothing explains|acknowledged/,
  },
  {
    defect: 'deliveries before their writes',
    store: 'folder',
    seed: 1,
    during: 'a mock is killed',
    changes: [['mock/outbound/deliveries.ts', 'await this.#account.services.rows.stored();\n', '']],
    found: /was posted/,
  },
  {
    defect: 'rows are written one by one',
    store: 'PostgreSQL',
    seed: 1,
    during: 'PostgreSQL ends all connections',
    changes: [
      [POSTGRES, 'if (size > WRITE_SIZE)', 'if (size > 0)'],
      [POSTGRES, "isExpected ? 'COMMIT' : 'ROLLBACK'", "'COMMIT'"],
      [POSTGRES, '`BEGIN; SET LOCAL', '`SET LOCAL'],
    ],
    found: /must be|is missing|nothing explains|the journal has/,
  },
  {
    defect: 'a former leader writes',
    store: 'PostgreSQL',
    seed: 1,
    during: CUT_OFF,
    changes: [
      ['mock/store/postgres-statements.ts', 'WHERE id = $1 AND version = $2\n', 'WHERE $1 <> $2::text\n'],
      [REPLICA, 'await this.#store.renew().catch', 'await Promise.resolve().catch'],
      [REPLICA, '!this.#store.ledAt(at)', 'false'],
    ],
    found: /must be|is missing|nothing explains|degraded/,
  },
  {
    defect: 'reads without a lead',
    store: 'PostgreSQL',
    seed: 1,
    during: CUT_OFF,
    changes: [[REPLICA, '!this.#store.ledAt(at)', 'false']],
    found: /nothing explains/,
  },
];

/** How long each defect may stay unseen, in milliseconds. */
const DURATION = 300_000;
ranAtLeast({ whole: PLANTED.length, sample: 1 });

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres.remove());

test.each(isSample ? PLANTED.slice(0, 1) : PLANTED)('is found: $defect', { timeout: DURATION + 240_000 }, async (planted) => {
  const program = await plantedProgram(planted.changes);
  const { replicas, faults } = await (planted.store === 'folder'
    ? startWithFolder(program)
    : startWithPostgres(postgres, program));
  const during = faults
    .filter(({ name }) => name === planted.during)
    .map((fault) => ({ ...fault, limit: Number.POSITIVE_INFINITY }));
  const verdict = await survives({ replicas, faults: during }, planted.seed, DURATION, planted.isQuiet ? 0 : undefined).then(
    () => 'nothing was found',
    String,
  );
  expect(verdict).toMatch(planted.found);
});
