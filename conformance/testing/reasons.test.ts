import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { defaultWorldProfile } from '../../scripts/mutants/profile.ts';
import { checks } from '../core/clause.ts';
import '../clauses/index.ts';
import { clauseTexts } from '../core/contract.ts';
import '../probes/index.ts';
import { type Allowance, allowances, type Mode } from '../core/mode.ts';
import { makeable } from '../core/prerequisites.ts';
import { runClauses } from '../core/run.ts';
import { openSession } from '../core/session.ts';
import type { InProcessFetch, Profile } from '../core/target.ts';
import type { Reason } from '../core/verdict.ts';
import { planRun } from '../safety/planner.ts';
import { policyOf } from '../safety/policy.ts';
import { referenceServer } from './reference-server/server.ts';

/** All reasons that there are: one that is left out, or is none, does not compile. */
const all: Record<Exclude<Reason, `not-allowed:${string}`>, true> & Record<`not-allowed:${Allowance}`, true> = {
  mode: true,
  'fact-missing': true,
  budget: true,
  'not-allowed:email': true,
  'not-allowed:webhooks': true,
  'not-allowed:automation': true,
  'not-allowed:coupons': true,
  'not-allowed:rate-limit': true,
  'no-receiver': true,
  'no-second-key': true,
  'needs-control': true,
  'fixture-missing': true,
  'control-failed': true,
  'all-answers-alike': true,
  'rate-limited': true,
  untestable: true,
};

interface Asked {
  readonly fetch?: InProcessFetch;
  readonly mode?: Mode;
  readonly allow?: readonly Allowance[];
  readonly profile?: Profile;
  readonly only?: RegExp;
  readonly key?: string;
}

/** The reasons of a run, each with a clause that has it. */
async function reasons({ fetch, mode = 'full', allow = [], profile = {}, only = /./, key = 'the-key' }: Asked) {
  const url = fetch ? 'http://127.0.0.1' : 'https://service.example.com';
  const policy = policyOf(mode, allow, {});
  const target = { url, key, profile, ...(fetch ? { fetch } : {}) };
  // Whoever waits here waits for nothing.
  const time = { now: () => performance.now(), sleep: async () => undefined };
  const session = openSession(target, time, policy);
  const names = [...clauseTexts.keys()].filter((name) => only.test(name));
  const { leftOut } = planRun(makeable(names, checks(), profile, policy), policy);
  const { clauses } = await runClauses({ target, session, names, checks: checks(), suite: 'test', leftOut });
  await session.client.close();
  return new Map(clauses.flatMap(({ name, reason }) => (reason ? [[reason, name] as const] : [])));
}

test('every reason why something is untested comes up in some run, and no other does', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const asked = (more: Asked) => reasons({ fetch: (request) => mock.fetch(request), key: mock.apiKey, ...more });
  const { secondKey, automationEvent } = defaultWorldProfile as Required<Profile>;
  const found = [
    await asked({ mode: 'read-only' }),
    await asked({ mode: 'safe', profile: { secondKey, automationEvent } }),
    // Nothing is sent to it.
    await reasons({ only: /^delivery\./ }),
    await reasons({
      fetch: async () => new Response('no', { status: 404 }),
      only: /^(authentication|http|errors|webhook\.list)/,
    }),
    await reasons({ fetch: async () => Response.json(true), only: /^(authentication|http|errors|webhook\.list|company)/ }),
    await reasons({ fetch: async () => new Response('', { status: 429 }), only: /^gift-card\.get-by-code/ }),
    await reasons({ ...referenceServer(), only: /^coupon/ }),
  ];
  await mock.close();
  expect(new Set(found.flatMap((each) => [...each.keys()]))).toEqual(new Set(Object.keys(all)));
  expect(Object.keys(all).filter((reason) => reason.startsWith('not-allowed:'))).toHaveLength(allowances.length);
}, 60_000);
