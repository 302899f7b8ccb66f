import { afterAll, beforeAll, test } from 'vitest';
import { isSample, ranAtLeast } from '../../sample.ts';
import { PostgresServer } from '../replicas/harness/postgres.ts';
import { startWithFolder, startWithPostgres, survives } from './machines.ts';

/** Clients, readers and faults run for this time per store and seed, in milliseconds. */
const DURATION = isSample ? 30_000 : 300_000;
const SEEDS = isSample ? [1] : [1, 2, 3];
ranAtLeast({ whole: 6, sample: 2 });

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres.remove());

test.each(SEEDS)('a mock with a folder, seed %i', { timeout: DURATION + 240_000 }, async (seed) => {
  await survives(await startWithFolder(), seed, DURATION);
});

test.each(SEEDS)('three replicas with PostgreSQL, seed %i', { timeout: DURATION + 240_000 }, async (seed) => {
  await survives(await startWithPostgres(postgres), seed, DURATION);
});
