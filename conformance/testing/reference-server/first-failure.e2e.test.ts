import { expect, test } from 'vitest';
import { levelOf } from '../../core/contract.ts';
import { checks } from '../../core/rule.ts';
import { runRules } from '../../core/run.ts';
import { faultNamed } from './faults/faults.ts';
import { isOrdinaryCheck, referenceTarget } from './suite-findings.ts';

// One bug fails the rule that it violates. Rules about something else do not fail, although their tests meet the bug.

async function failures(fault: string, pattern: RegExp) {
  const { make, options } = faultNamed(fault);
  const target = referenceTarget({ ...options, hooks: make() }, { timesShownExactly: true });
  const names = checks().flatMap((check) => (isOrdinaryCheck(check) && pattern.test(check.name) ? [check.name] : []));
  const { rules } = await runRules({ target, names, checks: checks() });
  return rules.filter(({ name, verdict }) => verdict === 'fail' && levelOf(name) === 'stated').map(({ name }) => name);
}

const accounts = /^(authentication\.|idempotency\.create\.|gift-card\.(create|get-by))/;

test.concurrent.each([
  ['lists the oldest update first', /^list\./, ['list.last-updated-first']],
  ['omits totalCount', /^authentication\./, []],
  ['hides voided cards from the list', /^list\./, ['list.includes-voided']],
  ['accepts a used uniqueId', /^(errors|gift-card\.create)\./, []],
  ['responds to a repeated create with the first card', /^(errors|gift-card\.create)\./, []],
  [
    'responds to a repeated create with the first card',
    /^(gift-card\.create\.keeps-given-code|idempotency\.create\.parallel)/,
    ['idempotency.create.parallel-makes-one'],
  ],
  ['returns true to a repeated adjustment', /^(errors|adjustment)\./, []],
  [
    'checks a uniqueAdjustmentId per endpoint',
    /^idempotency\.adjustment/,
    ['idempotency.adjustment.repeat-by-other-endpoint-refused'],
  ],
  ['finds cards of other accounts by code', accounts, ['authentication.foreign-record-is-404']],
  ['returns 403 to lookups of other accounts', accounts, ['authentication.foreign-record-is-404']],
  ['returns an empty card to lookups of other accounts', accounts, ['authentication.foreign-record-is-404']],
  ['returns 400 to an unknown ID', accounts, ['gift-card.get-by-id.unknown-is-404']],
  ['ignores letter case in a lookup by code', accounts, ['gift-card.get-by-code.matches-exactly']],
  ['stores codes in small letters', accounts, ['gift-card.create.keeps-given-code']],
  ['shows the status in small letters', /^authentication\./, []],
  ['returns 200 to deleting an unknown webhook', /^authentication\./, []],
  ['adds every top-up twice', /^adjustment\.(history|keeps|recorded|positive)/, ['adjustment.positive-tops-up']],
  ['shows no entries in a history by ID', /^adjustment\./, ['adjustment.history.by-id-shows-card-and-entries']],
  ['deletes voided cards', /^gift-card\.(void|custom)/, ['gift-card.void.still-found']],
  ['responds to events without cards', /^automation\./, ['automation.returns-cards-and-runs']],
  ['requires an idempotency_key', /^(idempotency\.)?automation\./, ['idempotency.automation.key-optional']],
  ['signs in hexadecimal', /^delivery\.expired\./, []],
])('a server that %s fails the violated rule alone', async (fault, pattern, expected) => {
  expect(await failures(fault, pattern)).toEqual(expected);
});

test('amounts that are added as binary fractions are found after other tests, too', async () => {
  expect(await failures('adds binary fractions', /^(adjustment|gift-card\.amounts-exact)/)).toContain('gift-card.amounts-exact');
});
