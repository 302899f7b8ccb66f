import { expect, test } from 'vitest';
import { type Check, checks } from '../clause.ts';
import '../clauses/index.ts';
import '../probes/index.ts';
import { exitCode } from '../result.ts';
import { runClauses } from '../run.ts';
import type { Profile } from '../target.ts';
import { stranger } from './server.ts';

/** The stranger's clock cannot be stopped and never shows one moment twice, so that this question does not arise. */
const neverTied = 'list.update-ties';
/** No path of coupons is given, and the stranger has its own: of what they are like, nothing can be seen. */
const isOfCoupons = (name: string) => name.startsWith('coupon.');

async function faultsOf({ key, profile, fetch }: ReturnType<typeof stranger>, more: Profile, wanted: (check: Check) => boolean) {
  const target = { url: 'http://127.0.0.1', key, fetch, profile: { ...profile, generatedCodePattern: '^zz-', ...more } };
  const names = checks().flatMap((check) => (wanted(check) ? [check.name] : []));
  const result = await runClauses({ target, names, checks: checks(), suite: 'test' });
  const notPassed = result.clauses.filter(
    ({ name, verdict, reason }) =>
      verdict !== 'pass' && verdict !== 'observed' && name !== neverTied && !(isOfCoupons(name) && reason === 'fact-missing'),
  );
  expect(
    notPassed.map(({ name, verdict, reason, detail, expected, got }) => ({ name, verdict, reason, detail, expected, got })),
  ).toEqual([]);
  expect(result.cards.left).toEqual([]);
  expect(exitCode(result)).toBe(0);
}

test('the suite finds no fault with a service that answers everything unstated in a way of its own', async () => {
  await faultsOf(stranger(), { noRateLimit: true }, ({ burst, inputs }) => !burst && !inputs);
});

test('nor does odd input bring it down', async () => {
  await faultsOf(stranger(), { noRateLimit: true }, ({ inputs }) => inputs === true);
}, 60_000);

test('nor with one whose rate is counted by the minutes of a clock', async () => {
  await faultsOf(stranger({ perMinute: 200 }), {}, ({ burst }) => burst === true);
});
