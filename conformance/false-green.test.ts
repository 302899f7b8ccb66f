import { describe, expect, test } from 'vitest';
import { checks } from './clause.ts';
import './clauses/index.ts';
import './probes/index.ts';
import { runClauses } from './run.ts';
import type { InProcessFetch } from './target.ts';

/** Servers that know nothing of gift cards. Whatever they answer, no clause may pass on them. */
const servers: Record<string, InProcessFetch> = {
  'always 404': async () => new Response('no', { status: 404 }),
  'always 200': async () => new Response('"ok"', { status: 200 }),
  'always 200 true': async () => Response.json(true),
  'always 400': async () => new Response('no', { status: 400 }),
  'always 401': async () => new Response('no', { status: 401 }),
  'always 500': async () => new Response('broken', { status: 500 }),
  echo: async (request) => new Response(await request.text(), { headers: { 'content-type': 'application/json' } }),
  'empty body': async () => new Response(null, { status: 200 }),
};

const profile = {
  secondKey: 'second-key',
  deletedKey: 'deleted-key',
  basicKey: 'basic-key',
  voucherCode: 'VOUCHER01',
  expiredCode: 'EXPIRED01',
  deletedCode: 'DELETED01',
  generatedCodePattern: '.',
  noRateLimit: true,
  timesShownExactly: true,
};

describe.each(Object.entries(servers))('%s', (_, fetch) => {
  test('earns no pass', async () => {
    const target = { url: 'http://127.0.0.1', key: 'a-key-of-the-run', profile, fetch };
    const result = await runClauses({ target, names: checks().map(({ name }) => name), checks: checks(), suite: 'test' });
    expect(result.clauses.filter(({ verdict }) => verdict === 'pass').map(({ name }) => name)).toEqual([]);
    expect(result.clauses.filter(({ fault }) => fault === 'suite').map(({ name, detail }) => `${name}: ${detail}`)).toEqual([]);
    expect(result.clauses.some(({ verdict }) => verdict === 'fail')).toBe(true);
  });
});
