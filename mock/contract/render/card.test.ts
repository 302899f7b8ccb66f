import fc from 'fast-check';
import { expect, test } from 'vitest';
import { optionOverrides, ruleTable } from '../../../openapi/effective/behaviors.ts';
import { type Behaviors, defaultBehaviors } from '../../../openapi/generated/rules.ts';
import { DAY } from '../../domain/dates.ts';
import { iso, NOON, sandboxOf } from '../../testing/fixture.ts';
import { varied } from '../../variant/vary.ts';
import { WorldFileError } from '../../world/description.ts';
import type { CardDescription } from '../../world/generated/described.ts';
import { worldOf } from '../../world/read.ts';

/**
 * The bundle does not check a card against the standard contract (Contract.write), but these tests do: they run from the sources. A card that breaks the
 * contract is a defect.
 */

const text = fc.option(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.string({ unit: 'binary', maxLength: 30 })));
const odd = fc.constantFrom('ä@ü.example', 'x', 'a@b', '');
const address = fc.option(fc.oneof({ weight: 9, arbitrary: fc.emailAddress() }, { weight: 1, arbitrary: odd }));
const time = fc.option(fc.integer({ min: -62135596800000, max: 253402300799999 }).map(iso));
const amount = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 100_000 }) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
);
const texts = { recipientName: text, buyerName: text, giftMessage: text, customField1: text, notes: text, uniqueId: text };
const shared = {
  ...texts,
  code: fc.string({ minLength: 1, maxLength: 20 }),
  recipientEmailAddress: address,
  buyerEmailAddress: address,
  expiresAtUtc: time,
  giftScheduledForUtc: time,
  sendAsGift: fc.boolean(),
  shouldSendNotification: fc.boolean(),
  isPromotional: fc.boolean(),
  disableEmails: fc.boolean(),
};
const described = fc.record(
  {
    ...shared,
    kind: fc.constantFrom('gift-card', 'voucher', 'store-credit'),
    status: fc.constantFrom('Active', 'Scheduled', 'Expired', 'Voided'),
    initialValue: amount,
    createdAtUtc: time,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<CardDescription>;
const requested = fc.record({ ...shared, balance: amount }, { requiredKeys: ['balance'] });

const variants = Array.from({ length: 20 }, (_, seed) => behaviorsOf(seed));

/** Random behaviors that keep the standard contract. */
function behaviorsOf(seed: number): Behaviors {
  const chosen = Object.entries(varied(seed).behaviors).filter(
    ([question, option]) => ruleTable[question as keyof Behaviors]?.behaviors?.[option]?.wire === undefined,
  );
  return { ...defaultBehaviors, ...Object.fromEntries(chosen) };
}

test('the standard contract is checked here', () => {
  const { sandbox } = sandboxOf();
  expect(() => sandbox.variant.contract.write('GiftCard', { id: 'no GUID' }, 'x')).toThrow('The GiftCard x breaks the contract');
});

test('no world, behavior or request makes a card that breaks the contract', () => {
  const counts = { worlds: 0, shown: 0, created: 0 };
  const currency = fc.constantFrom('USD', 'JPY', 'KWD');
  const days = fc.option(fc.integer({ min: 1, max: 3650 }), { nil: undefined });
  fc.assert(
    fc.property(
      fc.constantFrom(...variants),
      currency,
      days,
      described,
      requested,
      (behaviors, currency, defaultExpiryDays, card, request) => {
        expect(optionOverrides(behaviors)).toEqual([]);
        counts.worlds++;
        const isUsable = isWorld(card, currency);
        if (isUsable) counts.shown++;
        const account = {
          currency,
          cards: isUsable ? [card] : [],
          ...(defaultExpiryDays === undefined ? {} : { defaultExpiryDays }),
        };
        const { sandbox, send, at } = sandboxOf([account], { behaviors });
        if (send('POST', '/api/GiftCard/Create', request).status === 200) counts.created++;
        at(NOON + 400 * DAY);
        expect(send('GET', '/api/GiftCard/List?includeAll=true').status).toBe(200);
        for (const { code } of sandbox.accounts.get('main')?.state.cards() ?? []) {
          send('GET', `/api/GiftCard/GetByCode/${encodeURIComponent(code)}`);
          send('DELETE', `/api/GiftCard/VoidByCode/${encodeURIComponent(code)}`);
        }
        expect(sandbox.defects).toEqual([]);
      },
    ),
    { numRuns: 400, seed: 1 },
  );
  expect(counts.shown).toBeGreaterThan(counts.worlds / 10);
  expect(counts.created).toBeGreaterThan(counts.worlds / 10);
});

/** Reports whether a world may have this card. */
function isWorld(card: CardDescription, currency: string): boolean {
  try {
    worldOf({ accounts: [{ currency, cards: [card] }] });
    return true;
  } catch (error) {
    if (error instanceof WorldFileError) return false;
    throw error;
  }
}
