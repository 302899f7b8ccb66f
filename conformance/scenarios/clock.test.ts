import { expect, test } from 'vitest';
import { statement } from '../core/clause.ts';
import { advance, atOneMoment, nowThere } from '../core/clock.ts';
import { runClauses } from '../core/run.ts';

test('the clock is advanced by the request of the profile, filled in, and the run remembers by how much', async () => {
  const asked: unknown[] = [];
  const target = {
    url: 'http://127.0.0.1:1/base',
    key: 'key-of-run',
    profile: {},
    fetch: async (request: Request) => {
      asked.push([request.method, request.url, request.headers.get('x-control'), await request.text()]);
      return new Response();
    },
  };
  const clock = {
    advance: {
      method: 'PUT',
      url: '/clock?by={seconds}',
      headers: { 'x-control': 'on' },
      body: { by: '{seconds}', also: ['{duration}'], told: 'by {seconds}' },
    },
  };
  let ahead = 0;
  const check = statement('list.since-goes-by-issue', [], async (t) => {
    await advance(t, clock, 90);
    await advance(t, clock, 30);
    ahead = nowThere(t) - Date.now();
  });
  await runClauses({ target, names: [check.name], checks: [check], suite: 'test' });
  expect(asked[0]).toEqual([
    'PUT',
    'http://127.0.0.1:1/base/clock?by=90',
    'on',
    JSON.stringify({ by: 90, also: ['PT90S'], told: 'by 90' }),
  ]);
  expect(Math.round(ahead / 1_000)).toBe(120);
});

test('a clock that was stopped goes on when its check is given up, and before another begins', async () => {
  const asked: string[] = [];
  const fetch = async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/slow') await new Promise((done) => setTimeout(done, 150));
    asked.push(pathname);
    return new Response();
  };
  const get = (path: string) => ({ method: 'GET', path }) as const;
  const clock = {
    advance: { method: 'PUT', url: '/advance' },
    stop: { method: 'PUT', url: '/stop' },
    go: { method: 'PUT', url: '/go' },
  };
  const stopping = statement('list.since-goes-by-issue', [], (t) =>
    atOneMoment(t, clock, async () => {
      await t.send('ask for what takes long', get('/api/slow'));
      await t.send('ask for more', get('/api/more'));
    }),
  );
  const next = statement('list.hides-deleted-cards', [], async (t) => {
    await t.send('ask for something else', get('/api/next'));
  });
  const target = { url: 'http://127.0.0.1:1', key: 'key-of-run', profile: {}, fetch };
  const names = [stopping.name, next.name];
  await runClauses({ target, names, checks: [stopping, next], suite: 'test', deadline: 50 });
  expect(asked).toEqual(['/stop', '/api/slow', '/go', '/api/next']);
});
