import { expect, test } from 'vitest';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { type RunResult, sendsSerially } from '../core/result.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Reason } from '../safety/policy.ts';
import { everyVerdict, overdraw, ruleResult, runResult } from '../testing/result-fixture.ts';
import { buildDocument } from './build-document.ts';
import { markdownReport, textReport } from './text.ts';

const text = (result: Parameters<typeof buildDocument>[0][number], options = {}) => textReport(buildDocument([result]), options);

test('a failure shows what was done, expected and got, its control, its request, its deliveries and how to run it again', () => {
  const report = text(
    runResult([
      {
        ...overdraw,
        decidedBy: 0,
        received: overdraw.exchanges.slice(0, 1),
        deliveries: ['giftcard/voided of card#1 arrived at 1 of 2 webhooks, missing at twin'],
      },
    ]),
    { page: 'out/report.html' },
  );
  expect(report.split('\n')[0]).toBe('giftcard conformance · http://127.0.0.1:8460 · full mode');
  const labels = [...report.matchAll(/^ {6}([A-Z][a-z ]+?) {2,}/gm)].map(([, label]) => label);
  expect(labels).toEqual([
    'Did',
    'Expected',
    'Got',
    'Control',
    'Assumes',
    'Not checked',
    'Request',
    'Deliveries',
    'Received',
    'Again',
    'Evidence',
  ]);
  expect(report.trimEnd().split('\n').slice(-2)).toEqual([
    'FAIL  1 of 1 stated rule violated · 0 hold · 9.5 s',
    expect.stringMatching(/^Cards 4 created, 4 voided, 0 left +Report: out\/report\.html$/),
  ]);
});

const overdrawRun = runResult([overdraw]);

const outcome = (result: Parameters<typeof buildDocument>[0][number]) =>
  text(result)
    .split('\n')
    .findLast((line) => / · .* s$/.test(line));

test('the outcome counts the stated rules, and the reasons of untested rules', () => {
  const untested = (reason: Reason) => ruleResult('adjustment.returns-true', { verdict: 'untested', reason });
  const reasons = ['budget', 'fixture-missing', 'no-second-key', 'not-allowed:email', 'budget'] as const;
  const green = [ruleResult('adjustment.returns-true'), ...reasons.map(untested)];
  const counts = 'untested (budget 2, profile 2, not-allowed 1) · 9.5 s';
  expect(outcome(runResult(green))).toBe(`PASS  1 of 6 stated rules holds · 0 violated · 5 ${counts}`);
  expect(outcome(runResult([...green, overdraw]))).toBe(`FAIL  1 of 7 stated rules violated · 1 holds · 5 ${counts}`);
  expect(outcome(runResult(green, { heldBack: ['adjustment.returns-true'] }))).toBe(
    `INCOMPLETE  1 of 6 stated rules holds · 0 violated · 5 ${counts}`,
  );
  const open = ruleResult('gift-card.void.again', { level: 'open', verdict: 'observed' });
  expect(outcome(runResult([open]))).toBe('PASS  1 rule: 1 observed · 9.5 s');
});

test.each<[string, Partial<RunResult>]>([
  ['INCOMPLETE', { heldBack: ['adjustment.returns-true'] }],
  ['LEFT BEHIND', { cards: { created: 1, voided: 0, left: ['card#1'] } }],
  ['DEFECT', { cleanupFault: 'no space' }],
  ['INTERRUPTED', { interrupted: { after: 1, of: 9 } }],
])('%s has its reason in the next line', (word, more) => {
  const [line = '', reason] = text(runResult([ruleResult('adjustment.returns-true')], more))
    .split('\n')
    .slice(-4);
  expect(line.startsWith(`${word}  `)).toBe(true);
  expect(reason).toMatch(/^ +Exit code \d+: \w/);
});

test('a failed robustness expectation fails the run only with --fail-on robustness', () => {
  const rules = [
    ruleResult('adjustment.returns-true'),
    ruleResult('errors.malformed-input-is-no-server-fault', { verdict: 'fail' }),
  ];
  const tolerated = text(runResult(rules));
  expect(tolerated).toMatch(
    /^FAIL {2}errors\.malformed[\s\S]*^PASS .*1 expectation violated.*\n +Exit code 0, but .*--fail-on robustness/m,
  );
  const failed = text(runResult(rules, { failOn: 'robustness' }));
  expect(failed).toMatch(/^FAIL {2}1 of 1 stated rule holds.*1 expectation violated/m);
  expect(failed).not.toContain('Exit code 0');
});

test('a run with limits says how many rules they leave out or thin, and which limits are enough', () => {
  const budget = (detail: string) => ruleResult('adjustment.returns-true', { verdict: 'untested', reason: 'budget', detail });
  const rules = [
    budget('use at least --max-creates 41'),
    budget('use at least --max-creates 41'),
    budget('the profile says that the target has no rate limit'),
    ruleResult('adjustment.returns-200', { notChecked: 'a part, because --max-creates limits the cards' }),
  ];
  const limits = (more: Partial<RunResult>) => /^Limits .*$/m.exec(text(runResult(rules, more)))?.[0];
  expect(limits({ mode: 'safe' })).toMatch(/^Limits 2 rules left out: .*--max-creates 41 · 1 rule checked in part/);
  expect(limits({ mode: 'read-only' })).toBeUndefined();
  expect(text(runResult(rules.slice(2, 3)))).not.toMatch(/^Limits/m);
});

test('colors are only added on request', () => {
  expect(text(overdrawRun)).not.toContain('\x1b');
  expect(text(overdrawRun, { color: true }).split('\x1b[31mFAIL\x1b[0m  ')).toHaveLength(3);
  expect(text(runResult([ruleResult('adjustment.returns-true')]), { color: true })).toContain('\x1b[32mPASS\x1b[0m  1 of 1');
});

test('blocked rules are counted by cause; --verbose lists them', () => {
  const blocked = (name: RuleName) => ruleResult(name, { verdict: 'blocked', detail: 'creating a card: returned 500' });
  const result = runResult([blocked('adjustment.returns-true'), blocked('adjustment.returns-200')]);
  expect(text(result)).toContain('\nBLOCKED\n    2 rules: creating a card: returned 500\n');
  expect(text(result)).not.toContain('adjustment.returns-200');
  expect(text(result, { verbose: true })).toContain('adjustment.returns-200');
});

test('rules without a response are one group', () => {
  const failed = (['adjustment.returns-true', 'adjustment.returns-200'] as const).map((name) =>
    ruleResult(name, {
      verdict: 'error',
      fault: 'transport',
      detail: `POST /api/${name.length} got no response: other side closed`,
    }),
  );
  expect(text(runResult(failed)).match(/other side closed/g)).toHaveLength(1);
});

test('a target that stops responding is in the headline and in the reason', () => {
  const lost = { interrupted: { after: 1, of: 9, since: 'request 40 (POST /api/X, 10:00:00 UTC)' } };
  const report = text(runResult([ruleResult('adjustment.returns-true')], lost));
  expect(report).toMatch(/^[A-Z ]+ {2}.*the target has not responded since request 40/m);
  expect(report).toMatch(/^ +Exit code 3: .*since request 40/m);
});

test('a green run takes at most fifteen lines and names no observed or untested rule', () => {
  const rules = ['adjustment.returns-true', 'adjustment.returns-200', 'list.page-size-default'].map((name) =>
    ruleResult(name as 'adjustment.returns-true'),
  );
  const untested = ruleResult('webhook.create.returns-200', { verdict: 'untested', reason: 'no-receiver', detail: 'none' });
  const observed = ruleResult('gift-card.void.again', {
    level: 'open',
    verdict: 'observed',
    observation: { option: '200', text: '200' },
  });
  const green = runResult([...rules, untested, observed]);
  expect(text(green).trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  expect(text(green)).not.toContain('gift-card.void.again');
  expect(text(green, { verbose: true })).toMatch(/gift-card\.void\.again +200/);
  expect(text(green, { verbose: true })).toContain('no-receiver: none');
});

test('a green run names a target that sends deliveries one after another', () => {
  const serial = ruleResult('delivery.one-per-webhook', { deliveries: [sendsSerially] });
  expect(text(runResult([serial]))).toMatch(/^PASS .*\nDeliveries .*one after another\n/m);
  expect(text(runResult([ruleResult('delivery.one-per-webhook')]))).not.toContain('Deliveries');
});

test('a line names at most five leftovers and counts the others', () => {
  const left = Array.from({ length: 400 }, (_, index) => `card#${index + 1}`);
  const report = text(runResult([], { cards: { created: 400, voided: 0, left } }));
  expect(report).toMatch(/^LEFT BEHIND {2}card#1, .*card#5, 395 more\. /m);
  expect(report).not.toContain('card#6');
});

test('an operation that only questions need is not named above the outcome', () => {
  const exchange = { ...overdraw.exchanges[0], path: '/api/WebStoreCoupon/List', method: 'GET', status: 404 } as Exchange;
  const lacks = { verdict: 'untested', reason: 'fact-missing', detail: 'returned 404' } as const;
  const of = (level: 'open' | 'stated') =>
    text(runResult([ruleResult('gift-card.void.again', { ...lacks, level, exchanges: [exchange] })]));
  expect(of('open')).not.toContain('NEVER SUCCEEDED');
  expect(of('stated')).toContain('NEVER SUCCEEDED');
});

test('failures with one cause are listed together', () => {
  const exchanges = overdraw.exchanges.map((each) => ({ ...each, status: 500 }));
  const alike = (['adjustment.keeps-notes', 'adjustment.keeps-actioned-at'] as const).map((name, index) =>
    ruleResult(name, { verdict: 'fail', expected: `card#${index}`, got: '500 no', exchanges: exchanges.slice(0, 1) }),
  );
  const report = text(runResult(alike));
  expect(report).toMatch(/FAIL {2}adjustment\.keeps-notes [\s\S]*\n {6}Also 1 +adjustment\.keeps-actioned-at\n/);
});

test('the request of a failure is the one with the wrong response', () => {
  const common = { at: '', ms: 1, method: 'POST', requestHeaders: {}, contentType: 'text/plain' };
  const accepted = { ...common, path: '/api/Taken', requestBody: '{"code":"card#7"}', status: 200, body: 'true' };
  const refused = { ...common, path: '/api/Refused', status: 400, body: 'no' };
  const failed = ruleResult('errors.refusal-changes-nothing', {
    verdict: 'fail',
    exchanges: [accepted, refused],
  });
  expect(text(runResult([{ ...failed, decidedBy: 0 }]))).toMatch(/Request +curl .*\/api\/Taken.*"\$card_7"/);
  expect(text(runResult([failed]))).toMatch(/Request +curl .*\/api\/Refused/);
});

test('a summary has the outcome, and the text report in a code block', () => {
  const text = markdownReport(buildDocument([everyVerdict]), 'out/report.html');
  expect(text).toMatch(/^## ❌ FAIL {2}1 of 6 stated rules violated/);
  expect(text).toContain('Evidence     out/report.html#adjustment.by-id.refuses-overdraw');
  // An indented block ends only at a line that is not indented.
  const [, , ...lines] = text.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^ {4}giftcard conformance · /);
  expect(lines.filter((line) => !line.startsWith('    '))).toEqual([]);
});
