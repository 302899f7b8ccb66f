import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutPause } from '../../account/clock.ts';
import { advanceClock } from '../../control/clock.ts';
import { NOON, type SandboxFixture, sandboxOf } from '../../testing/fixture.ts';
import { MapStore } from '../../testing/map-store.ts';
import { Persistence } from '../persistence.ts';
import { capture } from './capture.ts';
import { restoreAccount } from './restore.ts';

/**
 * A sequence of requests, once without a break, once with the account restored from a snapshot between the steps, and once with a new sandbox that
 * starts from the store between the steps.
 */

const account = {
  reminderAfterDays: 3,
  defaultExpiryDays: 20,
  channels: [{ id: 'online' }, { id: 'till', acceptsCodes: '[0-9A-M]+' }],
  automations: [{ name: 'Welcome', eventName: 'signup', amount: 5, usageLimit: 3 }],
};

const iso = (days: number) => new Date(NOON + days * 86_400_000).toISOString();
const code = fc.constantFrom('A1', 'B2', 'Z9', 'unknown');
const days = fc.integer({ min: 1, max: 9 });
const unique = fc.option(fc.constantFrom('u1', 'u2', 'u3', 'u4'), { nil: undefined });

type TestRequest = readonly [method: string, path: string, body?: object];
const requests: fc.Arbitrary<TestRequest> = fc.oneof(
  fc
    .record({
      balance: fc.integer({ min: 0, max: 50 }),
      code: fc.option(code, { nil: undefined }),
      uniqueId: unique,
      recipientEmailAddress: fc.constantFrom('rita@example.com', 'Rita@example.com'),
      shouldSendNotification: fc.boolean(),
      expiresAtUtc: fc.option(days.map(iso), { nil: undefined }),
    })
    .map((body): TestRequest => ['POST', '/api/GiftCard/Create', body]),
  fc
    .tuple(code, fc.integer({ min: -30, max: 30 }), fc.nat({ max: 40 }))
    .map(
      ([giftCardCode, adjustmentAmount, n]): TestRequest => [
        'POST',
        '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode',
        { giftCardCode, adjustmentAmount, actionedAtUtc: iso(0), uniqueAdjustmentId: `a${n}` },
      ],
    ),
  code.map((each): TestRequest => ['DELETE', `/api/GiftCard/VoidByCode/${each}`]),
  code.map((each): TestRequest => ['GET', `/api/GiftCard/GetByCode/${each}`]),
  fc.constantFrom<TestRequest>(
    ['GET', '/api/GiftCard/List?pageSize=50'],
    ['GET', '/api/GiftCard/List?pageSize=50&pageNumber=1'],
    ['GET', '/api/GiftCard/List?pageSize=none'],
    ['GET', '/api/GiftCard/GetByEmail?emailAddress=rita@example.com'],
    ['POST', '/api/AutomationTriggerEvents', { event_name: 'signup', recipient_email: 'new@example.com', idempotency_key: 'k' }],
    ['POST', '/api/AutomationTriggerEvents', { event_name: 'signup', recipient_email: 'new@example.com' }],
    // No server listens on port 1, so that each delivery fails immediately.
    ['POST', '/api/Webhook/Create', { url: 'http://127.0.0.1:1/', requestHeaderVerificationToken: 'secret' }],
    ['GET', '/api/Webhook/List'],
    ['POST', '/api/WebStoreCoupon/Create', { code: 'SAVE', discountType: 'Percentage', discountValue: 10 }],
    ['GET', '/api/WebStoreCoupon/List'],
  ),
);
const step = fc.oneof({ weight: 4, arbitrary: requests }, { weight: 1, arbitrary: days.map((count) => count) });

const present = ({ sandbox }: SandboxFixture) => {
  const found = sandbox.accounts.get('main');
  if (!found) throw new Error('The account is there all the time.');
  return found;
};

async function take(fixture: SandboxFixture, each: TestRequest | number): Promise<unknown> {
  return typeof each === 'number'
    ? advanceClock({ account: present(fixture), body: { by: `P${each}D` } })
    : fixture.send(...each);
}

const snapshot = (fixture: SandboxFixture) => JSON.stringify(withoutPause(capture(fixture.sandbox, present(fixture))));
/** The snapshot without system times and durations. */
const all = (fixture: SandboxFixture) => {
  const others = new Set(['takenAtUtc', 'milliseconds']);
  return JSON.stringify(JSON.parse(snapshot(fixture)), (name, value) => (others.has(name) ? 0 : value));
};

/** Returns a new sandbox that starts from the store. */
async function startFrom(store: MapStore): Promise<SandboxFixture> {
  const fixture = sandboxOf([account], { rateLimit: 30 });
  const persistence = new Persistence('memory', fixture.sandbox, async () => store);
  fixture.sandbox.rows.persistence = persistence;
  await persistence.start(async () => {});
  return fixture;
}

test('an account that is restored after each request behaves like one that is not', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { minLength: 1, maxLength: 25 }), async (steps) => {
      const [twin, broken] = [sandboxOf([account], { rateLimit: 30 }), sandboxOf([account], { rateLimit: 30 })];
      const store = new MapStore();
      let stored = await startFrom(store);
      for (const [each, isBroken] of steps) {
        const response = await take(twin, each);
        expect(await take(broken, each)).toEqual(response);
        expect(await take(stored, each)).toEqual(response);
        // A snapshot has queued effects, but not the result of a running delivery. Therefore, the test waits until no delivery is running. Then
        // both sandboxes have disabled the same webhooks before the next request.
        if ([...present(broken).state.webhooks()].length > 0)
          await Promise.all([twin, broken, stored].map(({ sandbox }) => sandbox.settled()));
        if (!isBroken) continue;
        // The effects of the three sandboxes must take their random IDs at the same step.
        for (const fixture of [twin, broken, stored]) await present(fixture).effects.left();
        await stored.sandbox.rows.persistence?.close();
        stored = await startFrom(store);
        await restoreAccount(broken.sandbox, 'main', JSON.parse(snapshot(broken)));
      }
      await Promise.all([twin, broken, stored].map(({ sandbox }) => sandbox.settled()));
      await stored.sandbox.rows.persistence?.close();
      expect(JSON.parse(all(await startFrom(store)))).toEqual(JSON.parse(all(twin)));
      expect(all(broken)).toBe(all(twin));
      expect([...twin.sandbox.defects, ...broken.sandbox.defects]).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
