import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../../mock/testing/command-fixture.ts';
import { giveToUnprivileged, unprivileged } from './postgres.ts';

/** The configuration that `docs/recipes/compose` gives to nginx. */
export const RECIPE = join(import.meta.dirname, '../../../../docs/recipes/compose/nginx.conf');

const MAIN = `daemon off;
worker_processes 1;
pid nginx.pid;
events { worker_connections 8192; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`).join('\n  ')}
  include sandbox.conf;
}
`;

/** Starts nginx with the configuration of the recipe in front of replicas. Returns its URL. The end of the test ends nginx. */
export async function startNginx(replicas: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-nginx-'));
  giveToUnprivileged(folder);
  const port = await freePort();
  const servers = replicas.map((url) => `server ${new URL(url).host} max_fails=0;`).join('\n');
  const recipe = readFileSync(RECIPE, 'utf8');
  const replaced = recipe.replace(/server sandbox-1:8460.*\n\s*server sandbox-2:8460.*/, servers);
  writeFileSync(join(folder, 'sandbox.conf'), replaced.replace('listen 8460;', `listen 127.0.0.1:${port};`));
  writeFileSync(join(folder, 'nginx.conf'), MAIN);
  const options = { ...unprivileged(), cwd: folder, env: { PATH: `${process.env.PATH}:/usr/sbin` } };
  const nginx = spawn('nginx', ['-e', 'stderr', '-p', folder, '-c', 'nginx.conf'], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(nginx, 'exit');
  const stop = () => nginx.kill('SIGTERM');
  process.once('exit', stop);
  onTestFinished(async () => {
    process.off('exit', stop);
    stop();
    await ended;
    rmSync(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  const log: string[] = [];
  nginx.stderr.on('data', (part) => log.push(String(part)));
  while (nginx.exitCode === null) {
    if (await fetch(url).catch(() => undefined)) return url;
  }
  throw new Error(`nginx did not start: ${log.join('')}`);
}
