import { expect, test } from 'vitest';
import type { RuleResult } from '../core/result.ts';
import { ruleResult } from '../testing/result-fixture.ts';
import { stepsOf } from './steps.ts';

type Sent = readonly [step: string, path: string, requestBody?: string, key?: string];

/** Returns the failure of a rule that sent these requests. */
function failureOf(sent: readonly Sent[], more: Partial<RuleResult> = {}): RuleResult {
  const common = { at: '', ms: 1, method: 'POST', status: 200, contentType: '', body: '' };
  return ruleResult('errors.refusal-changes-nothing', {
    verdict: 'fail',
    did: sent.map(([step]) => step),
    exchanges: sent.map(([, path, requestBody = '', key = '«key»']) => {
      return { ...common, path, requestBody, requestHeaders: { 'x-api-key': key } };
    }),
    ...more,
  });
}

test('the steps end with the violating request, and begin with the first use of its values', () => {
  const failure = failureOf(
    [
      ['create card#1', '/Create', '{"code":"card#1","uniqueId":"GCS-U«run»0002"}'],
      ['create card#2', '/Create', '{"code":"card#2","uniqueId":"GCS-U«run»0003"}'],
      ['create card#3 (uniqueId)', '/Create', '{"code":"card#3","uniqueId":"GCS-U«run»0002"}'],
      ['GET card#3', '/GetByCode/card#3'],
    ],
    { decidedBy: 2 },
  );
  expect(stepsOf(failure)).toEqual(['create card#1', 'create card#3 (uniqueId)']);
});

test('a card with a taken code has the creation of the other card among its steps', () => {
  const create = (name: string): Sent => [`create ${name}`, '/Create', `{"code":"${name}"}`];
  const failure = failureOf([
    create('card#1'),
    create('card#2'),
    ['create card#3 (with the code of card#1)', '/Create', 'card#3'],
  ]);
  expect(stepsOf(failure)).toEqual(['create card#1', 'create card#3 (with the code of card#1)']);
});

test('equal steps with different keys are not one step', () => {
  const look: Sent = ['GET card#1 by code → 200', '/GetByCode/card#1'];
  const other: Sent = [look[0], look[1], '', '«secondKey»'];
  expect(stepsOf(failureOf([look, look, other]))).toEqual([
    'GET card#1 by code → 200 (2 times)',
    'GET card#1 by code → 200 with «secondKey»',
  ]);
});

test('long steps never hide the last step', () => {
  const sent = Array.from({ length: 9 }, (_, index): Sent => [`step ${index} ${'and another parameter '.repeat(20)}`, '/List']);
  const steps = stepsOf(failureOf([...sent, ['the last step', '/List']]));
  expect([steps[0], steps.at(-1)]).toEqual(['… 8 more', 'the last step']);
  expect(steps.join('; ').length).toBeLessThan(900);
});
