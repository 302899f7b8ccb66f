import { expect, test } from 'vitest';
import type { ReferenceOptions } from './options.ts';
import { isOrdinaryCheck, referenceTarget, suiteFindings } from './suite-findings.ts';

const creates = /^(gift-card\.create\.|idempotency\.create\.)/;
const limits: [what: string, isRefused: ReferenceOptions['isRefused'], clauses: RegExp, exitCode: 0 | 4][] = [
  ['no card below 1.00', ({ body }) => Number(body.balance) < 1, creates, 4],
  ['no card below 5.00', ({ body }) => Number(body.balance) < 5, creates, 4],
  ['a recipient for every card', ({ operation, body }) => operation === 'create' && !body.recipientEmailAddress, creates, 4],
  [
    'no gift in more than a year',
    ({ body }) => Date.parse(String(body.giftScheduledForUtc)) > Date.UTC(2032, 1),
    /^gift-card\.create\.starts-active/,
    0,
  ],
  [
    'unique values of adjustments with at most 20 letters',
    ({ body }) => String(body.uniqueAdjustmentId ?? '').length > 20,
    /^(adjustment\.|idempotency\.adjustment\.|authentication\.foreign)/,
    4,
  ],
  [
    'descriptions of webhooks with at most 50 letters',
    ({ operation, body }) => operation === 'register webhook' && String(body.description ?? '').length > 50,
    /^webhook\.create\./,
    0,
  ],
];

test.each(limits)(
  'a limit that the specification does not state violates nothing: %s',
  async (_what, isRefused, clauses, code) => {
    const findings = await suiteFindings(
      referenceTarget({ isRefused }),
      (check) => isOrdinaryCheck(check) && clauses.test(check.name),
    );
    expect(findings.filter((finding) => Object(finding).verdict === 'fail')).toEqual([]);
    expect(findings.includes('exit code 4')).toBe(code === 4);
    expect(findings.length > 0).toBe(code === 4);
  },
  120_000,
);
