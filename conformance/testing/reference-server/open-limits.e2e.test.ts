import { expect, test } from 'vitest';
import { api, refusesIf } from './faults/fault.ts';
import { isOrdinaryCheck, referenceTarget, suiteFindings } from './suite-findings.ts';

const creates = /^(gift-card\.create\.|idempotency\.create\.)/;
const limits: [what: string, refusal: ReturnType<typeof refusesIf>, rules: RegExp, exitCode: 0 | 4][] = [
  [
    'no card below 1.00',
    refusesIf(api.create, ({ body }) => Number(body.balance) < 1),
    /^(gift-card|idempotency\.create|delivery|webhook|list|names\.gift-card)\b/,
    0,
  ],
  ['no card below 5.00', refusesIf(api.create, ({ body }) => Number(body.balance) < 5), creates, 4],
  ['a recipient for every card', refusesIf(api.create, ({ body }) => !body.recipientEmailAddress), creates, 4],
  [
    'no gift in more than a year',
    refusesIf(api.create, ({ body }) => Date.parse(String(body.giftScheduledForUtc)) > Date.UTC(2032, 1)),
    /^gift-card\.create\.starts-active/,
    0,
  ],
  [
    'unique values of adjustments with at most 20 letters',
    refusesIf(api.adjusts, ({ body }) => String(body.uniqueAdjustmentId ?? '').length > 20),
    /^(adjustment\.|idempotency\.adjustment\.|authentication\.foreign)/,
    4,
  ],
  [
    'descriptions of webhooks with at most 50 letters',
    refusesIf(api.createWebhook, ({ body }) => String(body.description ?? '').length > 50),
    /^webhook\.create\./,
    0,
  ],
];

test.each(limits)('a limit that the specification does not state violates nothing: %s', async (_what, refusal, rules, code) => {
  const target = referenceTarget({ hooks: refusal() });
  const findings = await suiteFindings(target, (check) => isOrdinaryCheck(check) && rules.test(check.name));
  expect(findings.filter((finding) => Object(finding).verdict === 'fail')).toEqual([]);
  expect(findings.includes('exit code 4')).toBe(code === 4);
  expect(findings.length > 0).toBe(code === 4);
});
