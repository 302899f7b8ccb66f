import { expect, test } from 'vitest';
import { levelOf } from '../../core/contract.ts';
import { type Check, checks } from '../../core/rule.ts';
import { runRules } from '../../core/run.ts';
import { faultNamed } from './faults/faults.ts';
import { isOrdinaryCheck, referenceTarget } from './suite-findings.ts';

const isWanted = (check: Check) =>
  isOrdinaryCheck(check) && levelOf(check.name) === 'stated' && !/^(delivery|emails|coupon)/.test(check.name);

test.each([
  ['returns 201 to creates', 'gift-card.create.returns-200'],
  ['returns 201 to adjustments', 'adjustment.returns-200'],
  ['returns 201 to new webhooks', 'webhook.create.returns-200'],
  ['returns 201 to events', 'automation.returns-cards-and-runs'],
])('a server that %s violates only %s, and blocks no rule', async (name, rule) => {
  const target = referenceTarget({ hooks: faultNamed(name).make() });
  const names = checks().flatMap((check) => (isWanted(check) ? [check.name] : []));
  const { rules, cards } = await runRules({ target, names, checks: checks() });
  const others = rules.filter(({ verdict }) => verdict !== 'pass');
  expect(others.map((each) => [each.name, each.verdict])).toEqual([[rule, 'fail']]);
  expect(cards.left).toEqual([]);
});
