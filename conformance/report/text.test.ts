import { expect, test } from 'vitest';
import { clauseResult, everyVerdict, overdraw, runResult } from '../testing/result-fixture.ts';
import { failureText } from './failure.ts';
import { headline } from './headline.ts';
import { textReport } from './text.ts';

test('a failure tells what was done, expected and got, what was left open, what is likely, and how to see it again', () => {
  expect(textReport(runResult([overdraw]), { page: 'out/report.html' })).toBe(
    `FAIL  adjustment.by-id.refuses-overdraw                               stated · Adjustment rules, 1
  Redeeming by ID more than the card holds is refused and changes nothing.

  Did        create card#1 (1.00) → 200; adjust card#1 by ID (-0.40) → 200; adjust card#1 by ID (-1.50) → 200
  Expected   redeeming 1.50 of 0.60 by ID refused
  Got        200 true
  Control    redeeming 0.40 of 1.00 by ID leaves 0.60
  Used fact  adjustment.by-id.field = "giftCardId"  (open; seen on this target)
  Not judged the status of the refusal (open)
  Likely     the by-ID path uses the by-code rule
  Again      giftcard-sandbox conformance replay --target http://127.0.0.1:8460 adjustment.by-id.refuses-overdraw
  Evidence   out/report.html#adjustment.by-id.refuses-overdraw

RECEIPT  full run: 137 requests, 4 cards of 4.00 in all

stated 0 pass, 1 fail of 1 · 4 cards created, 4 voided, 0 left · 137 requests, peak 41/min
Exit code 1: 1 clause is violated.
`,
  );
});

test('the last line says that the baseline is stale, and what takes out what holds now', () => {
  const last = (clauses: (typeof overdraw)[], staleBaseline: (typeof overdraw.name)[]) =>
    textReport(runResult(clauses, { staleBaseline })).trimEnd().split('\n').at(-1);
  expect(last([clauseResult('adjustment.answers-true')], ['adjustment.answers-true'])).toBe(
    'Exit code 1: 1 entry of the baseline holds now (STALE), and goes with --baseline FILE --write-baseline FILE.',
  );
  const both = last([overdraw], ['list.page-size-default', 'list.page-size-maximum']);
  expect(both).toMatch(/^Exit code 1: 1 clause is violated; 2 entries of the baseline hold now \(STALE\), and go with /);
});

test('the receipt tells what was planned beside what was spent', () => {
  const { spent, ...result } = runResult([overdraw]);
  const planned = { requests: 150, creates: 5, faceValue: 4.5 };
  expect(textReport({ ...result, mode: 'safe', planned, spent: { ...spent, webhooks: 2, coupons: 1 } })).toContain(
    'RECEIPT  safe run: 137 requests, 4 cards of 4.00 in all, 2 webhooks, 1 coupon (planned: 150 requests, 5 cards of 4.50 in all)\n',
  );
});

test('no evidence is named where none was written', () => {
  expect(textReport(runResult([overdraw]))).not.toContain('Evidence');
});

test('the headline counts every verdict that came up, by level', () => {
  expect(headline(everyVerdict)).toBe(
    'stated 1 pass, 1 fail, 1 known-fail, 1 untested, 1 blocked, 1 error of 6 · ambiguous 1 in range · ' +
      'robustness 0 pass, 1 fail of 1 · open 1 observed · 4 cards created, 4 voided, 0 left · 137 requests, peak 41/min',
  );
});

test('what is out of range or has no verdict is counted beside what is in range', () => {
  const level = 'ambiguous';
  const result = runResult([
    clauseResult('gift-card.void.again', { level, verdict: 'fail' }),
    clauseResult('gift-card.status.future-gift', { level }),
  ]);
  expect(headline(result)).toMatch(/^ambiguous 1 in range, 1 fail of 2 · /);
});

test('facts, known failures, reasons, stale entries and leftovers are told, and nothing in them steers a terminal', () => {
  const text = textReport({
    ...everyVerdict,
    staleBaseline: ['list.page-size-default'],
    recordsLeft: [
      { what: 'webhook', value: 'https://example.com/\x1b[2J' },
      { what: 'coupon', value: 'GCSCOUPON1' },
    ],
    leftBefore: ['card#7 of the earlier run ABC: sweep tries again.'],
    cards: { created: 1, voided: 0, left: ['card#1 (GCS1)'] },
  });
  for (const part of [
    'adjustment.by-id.overdraw-status  answers 418',
    '(no reading of ours)',
    'KNOWN-FAIL  adjustment.answers-200',
    'ticket 12',
    'fixture-missing: the profile gives no cards\n    list.page-size-maximum',
    'STALE  ',
    '    list.page-size-default\n',
    'LEFT BEHIND  card#1 (GCS1): see',
    'LEFT BEHIND  webhook https://example.com/\\u001b[2J, coupon GCSCOUPON1: it stands in npx giftcard-sandbox conformance ledger; sweep',
    'LEFT BEHIND  card#7 of the earlier run ABC: sweep tries again.',
  ]) {
    expect(text).toContain(part);
  }
  for (const steering of ['\u202e', '\x07', '\x1b']) expect(text).not.toContain(steering);
});

test('the request of a failure is that of the answer that should not have come, and its variables are told', () => {
  const exchange = { at: '', ms: 1, method: 'POST', requestHeaders: {}, contentType: 'text/plain' };
  const taken = { ...exchange, path: '/api/Taken', requestBody: '{"code":"card#7"}', status: 200, body: 'true' };
  const refused = { ...exchange, path: '/api/Refused', status: 400, body: 'no' };
  const failed = clauseResult('errors.refusal-changes-nothing', {
    level: 'robustness',
    verdict: 'fail',
    got: '200 true',
    exchanges: [taken, refused],
  });
  const told = failureText(failed, runResult([failed]));
  expect(told).toMatch(/ Request +curl .*\/api\/Taken.*"\$card_7"/);
  expect(told).toMatch(/ Variables +\$card_7: report\.html/);
  const other = failureText({ ...failed, got: 'balance 3' }, runResult([failed]));
  expect(other).toMatch(/ Request +curl .*\/api\/Refused/);
  expect(other).not.toContain('Variables');
});
