import { expect, test } from 'vitest';
import type { StatedClause } from '../../../../openapi/generated/clauses.ts';
import { api, type Fault, refusesIf } from './fault.ts';
import { FaultRunner } from './runner.ts';

test.each<[string, Fault, string]>([
  ['changes nothing', { clause: 'adjustment.is-relative', make: () => ({}), options: {} }, 'pass'],
  [
    'refuses every creation',
    { clause: 'gift-card.create.starts-active', make: refusesIf(api.create, () => true), options: {} },
    'blocked: expected the created card answered with 200; got 400',
  ],
  [
    'breaks with 5xx',
    { clause: 'adjustment.answers-true', make: refusesIf(api.adjustByCode, () => true, 500), options: {} },
    'the server breaks with 5xx',
  ],
  [
    'violates a rule without a test',
    { clause: 'channels.api-changes-pushed' as StatedClause, make: () => ({}), options: {} },
    'its clause has no test',
  ],
  [
    'violates a rule whose test does not pass on the lawful server',
    { clause: 'coupon.get-by-code.returns-the-coupon' as StatedClause, make: () => ({}), options: {} },
    'its clause',
  ],
])('a fault that %s is missed', async (_, fault, why) => {
  expect(await new FaultRunner().whyMissed(fault, 'immediate')).toContain(why);
});
