import { expect, test } from 'vitest';
import { ruleTexts } from './contract.ts';
import { checks } from './rule.ts';
import { whyNotOffered, whyUntestable } from './untestable.ts';
import '../rules/index.ts';
import '../questions/index.ts';

const checked = new Set(checks().map(({ name }) => name));

const untested = [...ruleTexts].filter(([name]) => !checked.has(name));

test('every rule has a test, or a reason why it has none', () => {
  const silent = untested.filter(([, { seen, reason }]) => seen !== 'control' && !reason);
  expect(silent.map(([name]) => name)).toEqual([]);
  expect(untested.length).toBe(30);
});

test('no rule has both a test and a reason', () => {
  expect([...ruleTexts].filter(([name, { reason }]) => reason && checked.has(name))).toEqual([]);
});

test('the reason in the contract is used', () => {
  expect(whyUntestable('coupon.can-be-managed')).toMatchObject({
    reason: 'untestable',
    detail: expect.stringContaining('no methods, paths or payloads'),
  });
});

test.each([false, undefined])('generated input is sent by another command (inputs: %s)', (inputs) => {
  const check = checks().find((each) => each.inputs);
  if (!check) throw new Error('No check sends generated input.');
  const { detail } = whyNotOffered(check, {}, inputs === undefined ? {} : { inputs }) ?? {};
  expect(detail).toContain('run "conformance fuzz inputs"');
  expect(detail).not.toMatch(/--inputs|remote/);
});
