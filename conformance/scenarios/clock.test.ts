import { expect, test } from 'vitest';
import { advance, targetNow } from '../core/clock.ts';
import { ruleTest } from '../core/rule.ts';
import { runRules } from '../core/run.ts';

test('advance sends the request of the profile with its placeholders filled in, and targetNow adds the time', async () => {
  const requests: unknown[] = [];
  const target = {
    url: 'http://127.0.0.1:1/base',
    key: 'key-of-run',
    profile: {},
    fetch: async (request: Request) => {
      requests.push([request.method, request.url, request.headers.get('x-control'), await request.text()]);
      return new Response();
    },
  };
  const clock = {
    advance: {
      method: 'PUT',
      url: '/clock?by={seconds}',
      headers: { 'x-control': 'on' },
      body: { by: '{seconds}', also: ['{duration}'], text: 'by {seconds}' },
    },
  };
  let ahead = 0;
  const check = ruleTest('list.since-goes-by-issue', [], async (t) => {
    await advance(t, clock, 90);
    await advance(t, clock, 30);
    ahead = targetNow(t) - Date.now();
  });
  await runRules({ target, names: [check.name], checks: [check] });
  expect(requests[0]).toEqual([
    'PUT',
    'http://127.0.0.1:1/base/clock?by=90',
    'on',
    JSON.stringify({ by: 90, also: ['PT90S'], text: 'by 90' }),
  ]);
  expect(Math.round(ahead / 1_000)).toBe(120);
});
