import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import { checks } from '../core/rule.ts';
import '../rules/index.ts';
import { ruleTexts } from '../core/contract.ts';
import '../questions/index.ts';
import { runRules } from '../core/run.ts';
import { openSession } from '../core/session.ts';
import type { InProcessFetch, Profile } from '../http/target.ts';
import { type Allowance, type Mode, policyOf, policyWithWebhooks, type Reason } from '../safety/policy.ts';
import { defaultOptions } from './reference-server/options.ts';
import { referenceServer } from './reference-server/server.ts';

/** All reasons. The type makes a missing or unknown reason a compile error. */
const allReasons: Record<Reason, true> = {
  mode: true,
  'fact-missing': true,
  budget: true,
  'cannot-void': true,
  'not-allowed:email': true,
  'not-allowed:webhooks': true,
  'not-allowed:void-deliveries': true,
  'not-allowed:automation': true,
  'not-allowed:rate-limit': true,
  'not-allowed:inputs': true,
  'no-receiver': true,
  'no-second-key': true,
  'needs-hook': true,
  'fixture-missing': true,
  'control-failed': true,
  late: true,
  'all-responses-alike': true,
  'rate-limited': true,
  untestable: true,
};

interface Settings {
  readonly fetch?: InProcessFetch;
  readonly mode?: Mode;
  readonly allow?: readonly Allowance[];
  readonly inputs?: boolean;
  readonly webhooks?: number;
  readonly profile?: Profile;
  readonly only?: RegExp;
  readonly key?: string;
  readonly deliveryTimeout?: number;
  /** The suite cannot void the first card. */
  readonly cannotVoid?: boolean;
}

/** Runs the suite and returns the reasons for untested rules. Pauses in the run end at once. */
async function reasons({
  fetch,
  mode = 'full',
  allow = [],
  inputs,
  webhooks = 0,
  profile = {},
  only = /./,
  key = 'the-key',
  cannotVoid,
  ...more
}: Settings) {
  const url = fetch ? 'http://127.0.0.1' : 'https://service.example.com';
  const policy = { ...policyWithWebhooks(policyOf(mode, allow, {}), webhooks), ...(inputs === undefined ? {} : { inputs }) };
  const target = { url, key, profile, ...more, ...(fetch ? { fetch } : {}) };
  const time = { now: () => performance.now(), sleep: async () => undefined };
  const session = openSession(target, time, policy);
  const names = [...ruleTexts.keys()].filter((name) => only.test(name));
  const canary = cannotVoid ? async () => false : undefined;
  const { rules } = await runRules({ target, session, names, checks: checks(), canary });
  await session.client.close();
  return rules.flatMap(({ reason }) => (reason ? [reason] : []));
}

test('every reason for an untested rule occurs in a run, and no other', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const onMock = (more: Settings) => reasons({ fetch: (request) => mock.fetch(request), key: mock.apiKey, ...more });
  const { secondKey, automationEvent } = defaultWorldProfile as Required<Profile>;
  const slow = referenceServer({ deliveries: { ...defaultOptions.deliveries, latency: 100 } });
  const found = [
    await onMock({ mode: 'read-only' }),
    await onMock({ mode: 'safe', profile: { secondKey, automationEvent } }),
    await onMock({ mode: 'safe', webhooks: 1 }),
    await onMock({ cannotVoid: true, only: /^gift-card\.create\.a/ }),
    await onMock({ inputs: false, only: /^robustness\./ }),
    await reasons({ only: /^delivery\./ }),
    await reasons({
      fetch: async () => new Response('no', { status: 404 }),
      only: /^(authentication|http|errors|webhook\.list)/,
    }),
    await reasons({ fetch: async () => Response.json(true), only: /^(authentication|http|errors|webhook\.list|company)/ }),
    await reasons({ fetch: async () => new Response('', { status: 429 }), only: /^gift-card\.get-by-code/ }),
    await reasons({ ...referenceServer({ adjustedIdField: 'unguessable' }), only: /^adjustment\.by-id/ }),
    await reasons({ ...slow, deliveryTimeout: 50, only: /^delivery\.voided/ }),
  ];
  await mock.close();
  expect(new Set(found.flat())).toEqual(new Set(Object.keys(allReasons)));
}, 60_000);
