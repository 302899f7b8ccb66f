import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../mock/testing/command-fixture.ts';
import { Load } from './harness/load.ts';
import { PostgresServer } from './harness/postgres.ts';
import { Replicas, SpreadClient } from './harness/replicas.ts';

const SOME = 200;
/** Milliseconds within which every request gets a response while the database is away. */
const TIME_LIMIT = 8000;

/** A password that a URL writes differently. */
const PASSWORD = 'p@ss/word of the database';
const SPELLINGS = [PASSWORD, encodeURIComponent(PASSWORD)];

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await PostgresServer.start();
  await postgres.run(postgres.url('postgres'), `CREATE ROLE guarded SUPERUSER LOGIN PASSWORD '${PASSWORD}'`);
});
afterAll(() => postgres.remove());

test.each([
  ['has ended', () => postgres.end(), () => postgres.begin()],
  ['does not respond', async () => postgres.signal('STOP'), async () => postgres.signal('CONT')],
])(
  'while PostgreSQL %s, requests get 503 in time; afterwards, the replicas recover by themselves',
  async (_, leave, comeBack) => {
    const replicas = await Replicas.start(await postgres.database());
    const client = new SpreadClient(replicas.urls);
    const load = await Load.begin(client);
    await load.during(async () => {
      await client.waitForResponses(SOME);
      await leave();
      const create = { balance: 10, code: 'WHILE-AWAY', uniqueId: 'while-away' };
      const post = (url: string) =>
        fetch(`${url}/api/GiftCard/Create`, {
          method: 'POST',
          headers: { 'x-api-key': 'sandbox-key-main-not-a-real-key', 'content-type': 'application/json' },
          body: JSON.stringify(create),
        });
      const responses = await Promise.all(replicas.urls.map(post));
      expect(responses.map(({ status }) => status)).toEqual([503, 503, 503]);
      for (const response of responses) expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
      await client.healthIs('degraded');
      await comeBack();
      await client.waitForResponses(SOME);
      await client.healthIs('ok');
    });
    expect(client.failures.filter(({ status }) => status !== 503)).toEqual([]);
    expect(client.slowest).toBeLessThan(TIME_LIMIT);
    await load.check(2);
  },
);

/** Ends all other connections to the database, ten times a second. */
const END_CONNECTIONS = `DO $$ BEGIN FOR round IN 1..30 LOOP
  PERFORM pg_stat_clear_snapshot();
  PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();
  PERFORM pg_sleep(0.1);
END LOOP; END $$`;

test('connections that end during commits: every change is whole or absent, and what was acknowledged is there', async () => {
  const database = await postgres.database();
  const replicas = await Replicas.start(database);
  const client = new SpreadClient(replicas.urls);
  const load = await Load.begin(client);
  await load.during(async () => {
    await client.waitForResponses(SOME);
    await postgres.run(database, END_CONNECTIONS);
    await client.waitForResponses(SOME);
  });
  expect(client.failures.filter(({ status }) => status !== 503)).toEqual([]);
  await load.check(30);
});

const withPassword = (url: string, password = PASSWORD) => url.replace('sandbox@', `guarded:${encodeURIComponent(password)}@`);

test('a password in the URL is not printed, and not in the health', async () => {
  const database = await postgres.database();
  const replicas = await Replicas.start(withPassword(database), { count: 2 });
  const urls = ['', '/__mock/health', '/__mock/accounts', '/__mock/snapshot', '/api/Company/Profile'];
  const seen = await Promise.all(
    urls.flatMap((path) => replicas.urls.map((url) => fetch(url + path).then((response) => response.text()))),
  );
  await postgres.end();
  await new SpreadClient(replicas.urls).healthIs('degraded');
  const failing = await Promise.all(
    replicas.urls.map((url) => fetch(`${url}/__mock/health`).then((response) => response.text())),
  );
  const all = [...seen, ...failing, replicas.at(0).output, replicas.at(1).output].join('\n');
  for (const spelling of SPELLINGS) expect(all).not.toContain(spelling);
  for (const index of [0, 1]) expect(replicas.at(index).output).toMatch(/The state cannot be written to .*guarded/);
  await postgres.begin();
});

test('a database that cannot be used: one sentence without the password, and exit 2', async () => {
  const database = await postgres.database();
  const port = await freePort();
  const wrong = [
    withPassword(database, `not ${PASSWORD}`),
    withPassword(postgres.url('missing')),
    withPassword(database).replace(`${postgres.port}`, `${port}`),
    withPassword(database).replace('127.0.0.1', 'host.invalid'),
  ];
  for (const url of wrong) {
    const cli = join(import.meta.dirname, '../../../dist/cli.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'mock', '--port', '0', '--state', url], {
      encoding: 'utf8',
      timeout: 15_000,
    });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^\S[^\n]*\.\n$/);
    for (const spelling of SPELLINGS) expect(stderr).not.toContain(spelling);
  }
});
