import type { StrangeAccount } from './service/account.ts';
import { Answer, read } from './service/asking.ts';
import { route } from './service/routes.ts';
import { settle } from './service/settling.ts';
import { Service, usual, type Ways } from './service/state.ts';
import { furnish, keysOf, profile } from './service/world.ts';

/**
 * A gift card service written from the specification alone. It keeps what is stated and answers everything unstated
 * in a way of its own: other property names, wrappers, ids, statuses. The suite must find no fault with it.
 */
export function stranger(ways: Partial<Ways> = {}) {
  const service = new Service({ ...usual, ...ways });
  const keys = keysOf(service);
  furnish(service);
  return {
    key: 'one',
    profile,
    async fetch(request: Request): Promise<Response> {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === '/later') {
        const forward = 1_000 * Number(searchParams.get('seconds'));
        service.ticks += forward;
        service.ahead += forward;
        settle(service.first);
        return new Response(null, { status: 204 });
      }
      const on = keys.get(request.headers.get('x-api-key') ?? '');
      if (!on) return new Response(null, { status: 401 });
      if (on === 'basic') return Response.json({ upgrade: 'please' }, { status: 402 });
      if (tooMany(on)) return Response.json({ slower: true }, { status: 429, headers: { 'retry-after': 'soon' } });
      const text = await request.text();
      try {
        const reply = route(on, request.method, new URL(request.url), read(text));
        return Response.json(reply);
      } catch (thrown) {
        if (thrown instanceof Answer) return thrown.response;
        throw thrown;
      }
    },
  };
}

/** Whether this request is one too many in a minute of the clock. */
function tooMany(on: StrangeAccount): boolean {
  const { ahead, ways } = on.service;
  const minute = Math.floor((Date.now() + ahead) / 60_000);
  if (on.minute !== minute) Object.assign(on, { minute, asked: 0 });
  on.asked += 1;
  return on.asked > ways.perMinute;
}
