import { expect, test } from 'vitest';
import { type Check, checks } from '../../core/clause.ts';
import { levelOf } from '../../core/contract.ts';
import { runClauses } from '../../core/run.ts';
import { faultNamed } from './faults/faults.ts';
import { isOrdinaryCheck, referenceTarget } from './suite-findings.ts';

const isWanted = (check: Check) =>
  isOrdinaryCheck(check) && levelOf(check.name) === 'stated' && !/^(delivery|emails|coupon)/.test(check.name);

test.each([
  ['answers 201 to creates', 'gift-card.create.answers-200'],
  ['answers 201 to adjustments', 'adjustment.answers-200'],
  ['answers 201 to new webhooks', 'webhook.create.answers-200'],
  ['answers 201 to events', 'automation.answers-cards-and-runs'],
])(
  'a server that %s violates only %s, and blocks no clause',
  async (name, clause) => {
    const target = referenceTarget({ hooks: faultNamed(name).make() });
    const names = checks().flatMap((check) => (isWanted(check) ? [check.name] : []));
    const { clauses, cards } = await runClauses({ target, names, checks: checks(), suite: 'test' });
    const others = clauses.filter(({ verdict }) => verdict !== 'pass');
    expect(others.map((each) => [each.name, each.verdict])).toEqual([[clause, 'fail']]);
    expect(cards.left).toEqual([]);
  },
  120_000,
);
