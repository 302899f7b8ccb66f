import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { checks, ruleTest } from '../core/rule.ts';
import { createWithoutCode, tryCreate } from '../scenarios/cards.ts';
import '../rules/index.ts';
import { runRules } from '../core/run.ts';
import { endingOfRun } from '../core/run-ending.ts';
import type { Trial } from '../core/trial.ts';
import type { Profile } from '../http/target.ts';

type Responder = (request: Request) => Response | undefined;

const name = 'gift-card.create.returns-200';

/** Runs tests on a mock with some replaced responses. Returns the leftovers and the exit code of the run. */
async function leaves(respond: Responder, work: ((t: Trial) => Promise<unknown>) | RegExp, profile: Profile = {}) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const fetch = async (request: Request) => respond(request) ?? mock.fetch(request);
  const target = { url: mock.url, key: mock.apiKey, profile, fetch };
  const isNamed = work instanceof RegExp;
  const all = isNamed ? checks() : [ruleTest(name, [], async (t) => void (await work(t)))];
  const names = isNamed ? all.flatMap((check) => (work.test(check.name) ? [check.name] : [])) : [name as typeof name];
  const result = await runRules({ target, names, checks: all });
  await mock.close();
  return { result, left: [...result.cards.left, ...result.recordsLeft.map(({ what }) => what)], code: endingOfRun(result).code };
}

const without =
  (path: RegExp, status: number): Responder =>
  ({ url, headers }) =>
    path.test(url) ? new Response('no', { status: headers.has('x-api-key') ? status : 401 }) : undefined;

test.each([404, 405, 501])('a service whose webhook endpoints return %i has no webhook that it refused', async (status) => {
  const { left, result, code } = await leaves(without(/Webhook/, status), /^(authentication\.missing-key-is-401|errors\.)/);
  expect(result.rules.length).toBeGreaterThan(2);
  expect([left, code === 5]).toEqual([[], false]);
});

test('a key that is refused for the creation and for the look-up created nothing', async () => {
  let refusals = 0;
  const shut: Responder = ({ headers }) =>
    headers.get('x-api-key') === 'the-second-key' ? new Response(`refusal ${++refusals}`, { status: 401 }) : undefined;
  const made = (t: Trial) => tryCreate(t, {}, 'the-second-key');
  expect(await leaves(shut, made, { secondKey: 'the-second-key' })).toMatchObject({ left: [], code: 0 });
});

test.each([404, 501])('a service that returns %i to everything has no cards', async (status) => {
  const nothing: Responder = () => new Response('no', { status });
  const both = async (t: Trial) => {
    await tryCreate(t);
    await createWithoutCode(t);
  };
  expect(await leaves(nothing, both)).toMatchObject({ left: [] });
});

test('if creates work, a refusal is not proof, and the card is left with a reason', async () => {
  let creates = 0;
  const { left, result } = await leaves(
    ({ method, url }) => {
      if (/\/GetBy(Code|Id)\//.test(url)) return new Response('no', { status: 403 });
      if (method !== 'POST') return undefined;
      creates += 1;
      return creates > 1 ? new Response('no', { status: 401 }) : undefined;
    },
    async (t) => {
      await tryCreate(t);
      await tryCreate(t);
    },
  );
  expect(left).toHaveLength(2);
  expect(result.leftBecause).toEqual([
    'card#1: it was created, DELETE /api/GiftCard/VoidByCode returned 200, and GET /api/GiftCard/GetByCode returned 403',
    'card#2: its creation returned 401, and GET /api/GiftCard/GetByCode returned 403',
  ]);
});

test('a refused card is absent if the look-up returns 200 with null and the void returns 404', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const fetch = async (request: Request) => {
    const response = await mock.fetch(request);
    return response.status === 404 && request.url.includes('/GetByCode/') ? Response.json(null) : response;
  };
  const refused = ruleTest(name, [], async (t) => void (await tryCreate(t, { balance: -1 })));
  const target = { url: mock.url, key: mock.apiKey, profile: {}, fetch };
  const result = await runRules({ target, names: [name], checks: [refused] });
  await mock.close();
  expect([result.cards.left, endingOfRun(result).code]).toEqual([[], expect.any(Number)]);
  expect(endingOfRun(result).code).not.toBe(5);
});
