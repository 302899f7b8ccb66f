import { describe, test } from 'vitest';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import { checks } from '../core/clause.ts';
import '../clauses/index.ts';
import '../probes/index.ts';
import { runClauses } from '../core/run.ts';
import type { InProcessFetch } from '../core/target.ts';

/** Servers that ignore the request. No clause may pass on such a server. */
const servers: Record<string, InProcessFetch> = {
  'always 404': async () => new Response('no', { status: 404 }),
  'always 200': async () => new Response('"ok"', { status: 200 }),
  'always 200 true': async () => Response.json(true),
  'always 200 {}': async () => Response.json({}),
  'always 200 []': async () => Response.json([]),
  'always 400': async () => new Response('no', { status: 400 }),
  'always 401': async () => new Response('no', { status: 401 }),
  'always 500': async () => new Response('broken', { status: 500 }),
  'empty body': async () => new Response(null, { status: 200 }),
};

/** Adds a counter or blanks to every answer, so that two answers in a row differ. */
function varying(fetch: InProcessFetch): InProcessFetch {
  let count = 0;
  return async (request, options) => {
    const answer = await fetch(request, options);
    count += 1;
    const text = await answer.text();
    return new Response(text.startsWith('n') ? `${text} ${count}` : text + ' '.repeat(count % 7), answer);
  };
}

const echo: InProcessFetch = async (request) =>
  new Response(await request.text(), { headers: { 'content-type': 'application/json' } });

const all = [
  ...Object.entries(servers),
  ...Object.entries(servers).map(([name, fetch]): [string, InProcessFetch] => [`${name}, each answer different`, varying(fetch)]),
  ['echo', echo] as [string, InProcessFetch],
];

// Without a receiver and a clock, the run never waits.
const { receiver: _, clock: __, ...profile } = defaultWorldProfile;

describe.concurrent.each(all)('%s', (_, fetch) => {
  test('no clause passes', async ({ expect }) => {
    const target = { url: 'http://127.0.0.1', key: 'a-key-of-the-run', profile: { ...profile, proKey: 'pro-key' }, fetch };
    const names = checks().flatMap(({ name, inputs }) => (inputs ? [] : [name]));
    const result = await runClauses({ target, names, checks: checks(), suite: 'test' });
    expect(result.clauses.filter(({ verdict }) => verdict === 'pass').map(({ name }) => name)).toEqual([]);
    expect(result.clauses.filter(({ fault }) => fault === 'suite').map(({ name, detail }) => `${name}: ${detail}`)).toEqual([]);
    expect(result.clauses.some(({ verdict }) => verdict === 'fail')).toBe(true);
  });
});
