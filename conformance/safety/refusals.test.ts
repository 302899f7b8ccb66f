import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { checks, statement } from '../core/clause.ts';
import { create, createWithoutCode } from '../scenarios/cards.ts';
import '../clauses/index.ts';
import { exitCode } from '../core/exit.ts';
import { runClauses } from '../core/run.ts';
import type { Profile } from '../core/target.ts';
import type { Trial } from '../core/trial.ts';

type Answering = (request: Request) => Response | undefined;

const name = 'gift-card.create.answers-200';

/** Runs tests on a mock with some replaced answers. Returns the leftovers and the exit code of the run. */
async function leaves(answering: Answering, work: ((t: Trial) => Promise<unknown>) | RegExp, profile: Profile = {}) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const fetch = async (request: Request) => answering(request) ?? mock.fetch(request);
  const target = { url: mock.url, key: mock.apiKey, profile, fetch };
  const isNamed = work instanceof RegExp;
  const all = isNamed ? checks() : [statement(name, [], async (t) => void (await work(t)))];
  const names = isNamed ? all.flatMap((check) => (work.test(check.name) ? [check.name] : [])) : [name as typeof name];
  const result = await runClauses({ target, names, checks: all, suite: 'test' });
  await mock.close();
  return { result, left: [...result.cards.left, ...result.recordsLeft.map(({ what }) => what)], code: exitCode(result) };
}

const without =
  (path: RegExp, status: number): Answering =>
  ({ url, headers }) =>
    path.test(url) ? new Response('no', { status: headers.has('x-api-key') ? status : 401 }) : undefined;

test.each([404, 405, 501])('a service whose webhook endpoints answer %i has no webhook that it refused', async (status) => {
  const { left, result, code } = await leaves(without(/Webhook/, status), /^(authentication\.missing-key-is-401|errors\.)/);
  expect(result.clauses.length).toBeGreaterThan(2);
  expect([left, code === 5]).toEqual([[], false]);
});

test('a key that is refused for the creation and for the look-up created nothing', async () => {
  let refusals = 0;
  const shut: Answering = ({ headers }) =>
    headers.get('x-api-key') === 'the-second-key' ? new Response(`refusal ${++refusals}`, { status: 401 }) : undefined;
  const made = (t: Trial) => create(t, {}, 'the-second-key');
  expect(await leaves(shut, made, { secondKey: 'the-second-key' })).toMatchObject({ left: [], code: 0 });
});

test.each([404, 501])('a service that answers %i to everything has no cards', async (status) => {
  const nothing: Answering = () => new Response('no', { status });
  const both = async (t: Trial) => {
    await create(t);
    await createWithoutCode(t);
  };
  expect(await leaves(nothing, both)).toMatchObject({ left: [] });
});

test('if creates work, a refusal is not proof, and the card is left with a reason', async () => {
  let asked = 0;
  const { left, result } = await leaves(
    ({ method, url }) => {
      if (/\/GetBy(Code|Id)\//.test(url)) return new Response('no', { status: 403 });
      if (method !== 'POST') return undefined;
      asked += 1;
      return asked > 1 ? new Response('no', { status: 401 }) : undefined;
    },
    async (t) => {
      await create(t);
      await create(t);
    },
  );
  expect(left).toHaveLength(2);
  expect(result.leftBecause).toEqual([
    'card#1: it was created, DELETE /api/GiftCard/VoidByCode answered 200, and GET /api/GiftCard/GetByCode answered 403',
    'card#2: its creation answered 401, and GET /api/GiftCard/GetByCode answered 403',
  ]);
});

test('a refused card is absent if the look-up answers 200 with null and the void answers 404', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const fetch = async (request: Request) => {
    const answer = await mock.fetch(request);
    return answer.status === 404 && request.url.includes('/GetByCode/') ? Response.json(null) : answer;
  };
  const refused = statement(name, [], async (t) => void (await create(t, { balance: -1 })));
  const target = { url: mock.url, key: mock.apiKey, profile: {}, fetch };
  const result = await runClauses({ target, names: [name], checks: [refused], suite: 'test' });
  await mock.close();
  expect([result.cards.left, exitCode(result)]).toEqual([[], expect.any(Number)]);
  expect(exitCode(result)).not.toBe(5);
});
