import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { RECIPE } from './harness/nginx.ts';

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly command?: readonly string[]; readonly environment?: Readonly<Record<string, string>> }>
  >;
}

test('the parts of the recipe for docker compose fit together', () => {
  const { services } = parse(readFileSync(join(RECIPE, '../compose.yaml'), 'utf8'), { merge: true }) as Compose;
  const { nginx, postgres, ...replicas } = services;
  const upstreams = [...readFileSync(RECIPE, 'utf8').matchAll(/^ *server ([\w-]+):(\d+)/gm)].map(([, name, port]) => [
    name,
    port,
  ]);
  expect(upstreams).toEqual(Object.keys(replicas).map((name) => [name, '8460']));
  expect(nginx).toMatchObject({ ports: ['127.0.0.1:8460:8460'], volumes: [expect.stringMatching(/^\.\/nginx\.conf:/)] });
  for (const { command, environment } of Object.values(replicas)) {
    expect(command?.[0]).toBe('--state');
    const { username, password, hostname, pathname } = new URL(command?.[1] ?? '');
    expect(hostname).toBe('postgres');
    expect([username, password, pathname.slice(1)]).toEqual(
      ['USER', 'PASSWORD', 'DB'].map((name) => postgres?.environment?.[`POSTGRES_${name}`]),
    );
    expect(environment).toEqual({
      GIFTCARD_SANDBOX_CONTROL_TOKEN: expect.any(String),
      GIFTCARD_SANDBOX_PUBLIC_URL: 'http://127.0.0.1:8460',
    });
  }
});
