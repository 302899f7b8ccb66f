import { expect, test } from 'vitest';
import { startMock } from '../mock/index.ts';
import { checks } from './clause.ts';
import './clauses/index.ts';
import { exitCode } from './result.ts';
import { runClauses } from './run.ts';
import type { Profile } from './target.ts';

/** What the mock's default world offers, said as any team would say it of its own target. */
const defaultWorldProfile: Profile = {
  secondKey: 'sandbox-key-other-not-a-real-key',
  deletedKey: 'sandbox-key-main-deleted-not-a-real-key',
  basicKey: 'sandbox-key-basic-not-a-real-key',
  voucherCode: 'VOUCHER-0001',
  expiredCode: 'EXPIRED-0001',
  redeemedCode: 'REDEEMED-0001',
  scheduledCode: 'SCHEDULED-0001',
  deletedCode: 'DELETED-0001',
  storeCreditCode: 'STORE-CREDIT-0001',
  generatedCodePattern: '^[A-Z0-9]{4}(-[A-Z0-9]{4}){2}$',
  noRateLimit: true,
  timesShownExactly: true,
};

const mock = await startMock({ listen: false, rateLimit: 'off' });
const target = {
  url: mock.url,
  key: mock.apiKey,
  profile: defaultWorldProfile,
  fetch: (request: Request) => mock.fetch(request),
};
const result = await runClauses({ target, names: checks().map(({ name }) => name), checks: checks(), suite: 'test' });
await mock.close();

test.each(result.clauses)('$name passes on the mock', (clause) => {
  const { exchanges: _, text: __, ...told } = clause;
  expect(told).toMatchObject({ verdict: 'pass' });
});

test('the run leaves no card behind and ends well', () => {
  expect(result.cards.left).toEqual([]);
  expect(exitCode(result)).toBe(0);
});
