import { expect, test } from 'vitest';
import type { StatedRule } from '../../../../openapi/generated/rules.ts';
import { api, type Fault, refusesIf } from './fault.ts';
import { FaultRunner } from './runner.ts';

test.each<[string, Fault, string]>([
  ['changes nothing', { rule: 'adjustment.is-relative', make: () => ({}), options: {} }, 'pass'],
  [
    'refuses every creation',
    { rule: 'gift-card.create.starts-active', make: refusesIf(api.create, () => true), options: {} },
    'blocked: expected status 200 for the created card; got 400',
  ],
  [
    'breaks with 5xx',
    { rule: 'adjustment.returns-true', make: refusesIf(api.adjustByCode, () => true, 500), options: {} },
    'the server breaks with 5xx',
  ],
  [
    'violates a rule without a test',
    { rule: 'channels.api-changes-pushed' as StatedRule, make: () => ({}), options: {} },
    'its rule has no test',
  ],
  [
    'violates a rule whose test does not pass on the lawful server',
    { rule: 'coupon.get-by-code.returns-the-coupon' as StatedRule, make: () => ({}), options: {} },
    'its rule',
  ],
])('a fault that %s is missed', async (_, fault, why) => {
  expect(await new FaultRunner().whyMissed(fault, 'immediate')).toContain(why);
});
