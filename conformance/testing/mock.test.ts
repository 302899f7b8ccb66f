import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { checks } from '../core/rule.ts';
import '../rules/index.ts';
import '../questions/index.ts';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import { runRules } from '../core/run.ts';
import { endingOfRun } from '../core/run-ending.ts';
import type { Target } from '../http/target.ts';

// The profile has a clock, so one run tests the rate limit and sends odd input, too.
const mock = await startMock({ listen: false });
const target: Target = {
  url: mock.url,
  key: mock.apiKey,
  profile: { ...defaultWorldProfile, noRateLimit: false },
  fetch: (request: Request) => mock.fetch(request),
};
const result = await runRules({ target, names: checks().map(({ name }) => name), checks: checks() });
// This rule runs after the others, because it voids cards that other rules need.
const voided = await runRules({
  target: { ...target, profile: { ...target.profile, mayVoidFixtures: true } },
  names: ['gift-card.void.any-state'],
  checks: checks(),
});
await mock.close();

test('voiding works from states that only the world has', () => {
  expect(voided.rules[0]).toMatchObject({ verdict: 'pass' });
  expect(voided.rules[0]?.notChecked).toBeUndefined();
});

test('states that may not be voided are reported as untested', () => {
  const anyState = result.rules.find(({ name }) => name === 'gift-card.void.any-state');
  for (const state of ['Expired', 'Scheduled', 'voucher']) expect(String(anyState?.notChecked)).toContain(state);
});

test.each(result.rules)('$name has its verdict on the mock', (rule) => {
  const { exchanges: _, text: __, ...verdict } = rule;
  expect(verdict).toMatchObject({ verdict: verdict.level === 'open' ? 'observed' : 'pass' });
});

test('the run leaves nothing and ends with 0', () => {
  expect(result.cards.left).toEqual([]);
  expect(endingOfRun(result).code).toBe(0);
});
