import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startNginx } from './harness/nginx.ts';
import { PostgresServer } from './harness/postgres.ts';
import { Replicas } from './harness/replicas.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres.remove());

test('the conformance suite passes on three replicas behind nginx', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-conformance-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const profile = join(folder, 'profile.json');
  const replicas = await Replicas.start(await postgres.database(), {
    flags: ['--rate-limit', 'off', '--write-profile', profile],
  });
  const url = await startNginx(replicas.urls);
  const cli = join(import.meta.dirname, '../../../dist/cli.js');
  const argv = [
    cli,
    'conformance',
    'run',
    '--target',
    url,
    '--profile',
    profile,
    '--mode',
    'full',
    '--level',
    'stated',
    '--quiet',
  ];
  const env = { ...process.env, GIFTCARD_API_KEY: 'sandbox-key-main-not-a-real-key', XDG_STATE_HOME: folder };
  const { code, output } = await new Promise<{ code: number | null; output: string }>((done) => {
    const run = execFile(process.execPath, argv, { env }, (_, stdout, stderr) =>
      done({ code: run.exitCode, output: stdout + stderr }),
    );
  });
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/stated .* 0 violated/) });
});
