import type { RuleName } from '../../openapi/generated/rules.ts';
import { emptyResult } from '../core/evaluate.ts';
import type { RuleResult, RunResult } from '../core/result.ts';

export const hostile = '<script>alert(1)</script> & "quotes" \'s ]]> ``` | \u202e\u0007\x1b[2J';

/** Returns the result of one rule. A test sets only the fields that it checks. */
export const ruleResult = (name: RuleName, more: Partial<RuleResult> = {}): RuleResult => ({
  ...emptyResult(name),
  verdict: 'pass',
  ms: 12,
  ...more,
});

export function runResult(rules: readonly RuleResult[], more: Partial<RunResult> = {}): RunResult {
  return {
    kind: 'run',
    suite: 'giftcard-sandbox 0.0.0',
    target: 'http://127.0.0.1:8460',
    startedAt: '2026-03-01T10:00:00.000Z',
    finishedAt: '2026-03-01T10:00:09.500Z',
    rules: [...rules],
    cards: { created: 4, voided: 4, left: [] },
    recordsLeft: [],
    leftBecause: [],
    leftBefore: [],
    requests: 137,
    peakPerMinute: 41,
    mode: 'full',
    spent: { requests: 137, creates: 4, faceValue: 4, voids: 4, adjustments: 9, emails: 0, webhooks: 0, events: 0 },
    heldBack: [],
    configuration: { again: 'giftcard-sandbox conformance run --target http://127.0.0.1:8460', profile: ['secondKey'] },
    staleBaseline: [],
    ...more,
  };
}

export const overdraw = ruleResult('adjustment.by-id.refuses-overdraw', {
  verdict: 'fail',
  did: ['create card#1 (1.00) → 200', 'adjust card#1 by ID (-0.40) → 200', 'adjust card#1 by ID (-1.50) → 200'],
  expected: 'redeeming 1.50 by ID from a balance of 0.60 refused',
  got: '200 true',
  controls: ['redeeming 0.40 by ID from a balance of 1.00 leaves 0.60'],
  assumptions: ['adjustment.by-id.field = "giftCardId"'],
  notChecked: 'the status of the refusal (open)',
  exchanges: [
    {
      at: '2026-03-01T10:00:01.000Z',
      ms: 3,
      method: 'POST',
      path: '/api/GiftCard/Create',
      requestHeaders: { 'x-api-key': '«key»', 'content-type': 'application/json' },
      requestBody: '{"balance":1,"code":"card#1","uniqueId":"GCS-U«run»0002"}',
      status: 200,
      contentType: 'application/json',
      body: '{"id":7,"code":"card#1","balance":1.00,"notes":[]}',
    },
    {
      at: '2026-03-01T10:00:01.100Z',
      ms: 2,
      method: 'GET',
      path: '/api/GiftCard/GetByCode/card#1',
      requestHeaders: { 'x-api-key': '«secondKey»' },
      status: 404,
      contentType: 'text/plain',
      body: hostile,
    },
  ],
});

export const everyVerdict = runResult([
  ruleResult('adjustment.returns-true'),
  overdraw,
  ruleResult('adjustment.returns-200', { verdict: 'known-fail', got: '201 true', known: 'ticket 12' }),
  ruleResult('list.page-size-maximum', {
    verdict: 'untested',
    reason: 'fixture-missing',
    detail: 'the profile gives no cards',
  }),
  ruleResult('gift-card.void.is-final', { verdict: 'blocked', detail: `create: returned 500 ${hostile}` }),
  ruleResult('gift-card.void.still-found', { verdict: 'error', fault: 'transport', detail: 'no response' }),
  ruleResult('gift-card.void.again', { observation: { option: '200', text: '200' } }),
  ruleResult('adjustment.by-id.overdraw-status', {
    verdict: 'observed',
    observation: { option: null, text: `returns 418 ${hostile}` },
  }),
  ruleResult('errors.malformed-input-is-no-server-fault', {
    verdict: 'fail',
    got: '500',
    expected: 'no 5xx',
  }),
]);
