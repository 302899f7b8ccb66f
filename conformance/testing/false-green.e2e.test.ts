import { describe, test } from 'vitest';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import { checks } from '../core/rule.ts';
import '../rules/index.ts';
import '../questions/index.ts';
import { runRules } from '../core/run.ts';
import type { InProcessFetch } from '../http/target.ts';

/** Servers that ignore the request. No rule may pass on such a server. */
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

/** Adds a counter or blanks to every response, so that two responses in a row differ. */
function varying(fetch: InProcessFetch): InProcessFetch {
  let count = 0;
  return async (request, options) => {
    const response = await fetch(request, options);
    count += 1;
    const text = await response.text();
    return new Response(text.startsWith('n') ? `${text} ${count}` : text + ' '.repeat(count % 7), response);
  };
}

const echo: InProcessFetch = async (request) =>
  new Response(await request.text(), { headers: { 'content-type': 'application/json' } });

const all = [
  ...Object.entries(servers),
  ...Object.entries(servers).map(([name, fetch]): [string, InProcessFetch] => [
    `${name}, each response different`,
    varying(fetch),
  ]),
  ['echo', echo] as [string, InProcessFetch],
];

// Without a receiver and a clock, the run never waits.
const { receiver: _, clock: __, ...profile } = defaultWorldProfile;

describe.concurrent.each(all)('%s', (_, fetch) => {
  test('no rule passes', async ({ expect }) => {
    const target = { url: 'http://127.0.0.1', key: 'a-key-of-the-run', profile: { ...profile, proKey: 'pro-key' }, fetch };
    const names = checks().flatMap(({ name, inputs }) => (inputs ? [] : [name]));
    const result = await runRules({ target, names, checks: checks() });
    expect(result.rules.filter(({ verdict }) => verdict === 'pass').map(({ name }) => name)).toEqual([]);
    expect(result.rules.filter(({ fault }) => fault === 'suite').map(({ name, detail }) => `${name}: ${detail}`)).toEqual([]);
    expect(result.rules.some(({ verdict }) => verdict === 'fail')).toBe(true);
  });
});
