import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../openapi/document.ts';
import { bundle } from '../generate/bundle.ts';
import type { Rules } from '../generate/rule-names.ts';
import { readRules } from '../generate/rules.ts';
import { defaultProblems, topicProblems } from './contract.ts';

const openapi = join(import.meta.dirname, '../../openapi');
const contract = bundle(openapi);
const { rules } = readRules(join(openapi, 'rules'), contract);

const withDefault = (name: string, option: string): Rules => ({
  ...rules,
  [name]: { ...rules[name], default: option } as Rules[string],
});

test('the contract and the defaults of the questions agree', () => {
  const rows = Object.values(rules).flatMap(({ behaviors = {}, default: option = '' }) => behaviors[option]?.wire ?? []);
  expect(rows.length).toBeGreaterThanOrEqual(4);
  expect([...defaultProblems(contract, rules), ...topicProblems(contract)]).toEqual([]);
});

const ofAdjustments = ['addAdjustmentByGiftCardCode', 'addAdjustmentByGiftCardId'];

test.each([
  ['adjustment.by-id.overdraw-status', '409', 'adjustment.overdraw', ['addAdjustmentByGiftCardId']],
  ['adjustment.expired-card', '422', 'adjustment.card-expired', ofAdjustments],
  ['adjustment.voided-card', '409', 'adjustment.card-voided', ofAdjustments],
  // No response has this refusal yet.
  ['list.page-past-end', '404', 'list.page-past-end', ['listGiftCards']],
  // Another response of the same operations has it.
  ['gift-card.void.again', 'refused', 'gift-card.voided-before', ['voidGiftCardByCode', 'voidGiftCardById']],
])('objects to %s: %s', (name, option, refusal, operations) => {
  const status = name === 'gift-card.void.again' ? '400' : option;
  const text = (id: string) => `${name}: by default ${refusal} has the status ${status}, but ${id} documents it otherwise.`;
  expect(defaultProblems(contract, withDefault(name, option))).toEqual(operations.map(text));
});

test('objects to a response that all operations share', () => {
  const problems = defaultProblems(contract, withDefault('authentication.plan-status', '403'));
  expect(problems.length).toBe(23);
});

test('objects to a topic without a delivery, and to a delivery without a topic', () => {
  const other = structuredClone(contract);
  const webhooks = other.webhooks as JsonObject;
  webhooks['giftcard/split'] = webhooks['giftcard/voided'] ?? {};
  delete webhooks['giftcard/voided'];
  expect(topicProblems(other)).toEqual(['openapi.yaml: webhooks has no giftcard/voided.', 'WebhookTopic has no giftcard/split.']);
});
