import { expect, test } from 'vitest';
import type { Check } from './rule.ts';
import { runRules } from './run.ts';
import { type MissingDelivery, Violation } from './verdict.ts';

/** A check that fails because the delivery is missing. */
const needing = (name: Check['name'], delivery: MissingDelivery): Check => ({
  name,
  needs: [],
  run: async (t) => {
    t.reliesOn([delivery]);
    throw new Violation('a delivery', 'none');
  },
});

const missing = (delays: (number | undefined)[]): MissingDelivery => ({
  what: 'giftcard/voided of card#1',
  since: performance.now(),
  delay: () => (delays.length > 1 ? delays.shift() : delays[0]),
});

test('a rule is late only if its own delivery arrived after its verdict', async () => {
  const [voided, gifted] = ['delivery.voided.on-void', 'delivery.gifted.on-gift'] as const;
  const checks = [needing(voided, missing([undefined, undefined, 7_000])), needing(gifted, missing([undefined]))];
  const fetch = async ({ url }: Request) => new Response(url, { status: 404 });
  const target = { url: 'http://127.0.0.1', key: 'key', profile: {}, fetch, deliveryTimeout: 20 };
  const { rules } = await runRules({ target, names: [voided, gifted], checks });
  expect(rules.map(({ verdict, reason, expected }) => [verdict, reason, expected])).toEqual([
    ['untested', 'late', undefined],
    ['fail', undefined, 'a delivery'],
  ]);
  expect(rules[0]?.detail).toMatch(/card#1 .* 7\.0 s.*--delivery-timeout 11$/);
});
