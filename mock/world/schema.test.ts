import { describe, expect, it } from 'vitest';
import { lists } from '../../openapi/generated/lists.ts';
import type { WorldFile } from './description.ts';
import { worldOf } from './read.ts';
import schema from './world.schema.json' with { type: 'json' };

interface Definition {
  readonly description?: string;
  readonly additionalProperties?: boolean;
  readonly properties: Readonly<Record<string, { readonly description?: string }>>;
}

describe.each(Object.entries(schema.$defs as unknown as Record<string, Definition>))('the definition %s', (_, definition) => {
  it('refuses unknown properties', () => {
    expect(definition.additionalProperties).toBe(false);
  });

  it('describes itself and every property, for editors', () => {
    expect(definition.description).toMatch(/\.$/);
    for (const [name, { description }] of Object.entries(definition.properties)) expect(description, name).toMatch(/\.$/);
  });
});

it('has the same statuses and types of discounts as the contract', () => {
  expect(schema.$defs.Card.properties.status.enum).toEqual(lists.GiftCardStatus);
  expect(schema.$defs.Coupon.properties.discountType.enum).toEqual(lists.DiscountType);
});

it('accepts a file with every property, and so does the type', () => {
  const everything: Required<WorldFile> = {
    $schema: './world.schema.json',
    accounts: [
      {
        id: 'full',
        name: 'Full Shop',
        plan: 'Plus',
        subscriptionActive: false,
        currency: 'JPY',
        timeZone: 'Asia/Tokyo',
        locale: 'ja-JP',
        country: 'JP',
        email: 'full@example.com',
        website: 'https://full.example.com',
        defaultExpiryDays: 30,
        codeFormat: 'FULL-####-XXXX',
        reminderAfterDays: 60,
        monthlyAllowance: 100,
        sampleCards: 3,
        keys: [{ key: 'full-key', description: 'A key', deleted: true }],
        channels: [{ id: 'web', name: 'Web', acceptsCodes: '[A-Z-]+' }],
        automations: [
          {
            id: '00000000-0000-4000-8000-000000000001',
            name: 'Thanks',
            trigger: 'Other',
            eventName: 'thanks',
            amount: 500,
            active: false,
            usageLimit: 3,
            uses: 2,
            usedIdempotencyKeys: ['first', 'second'],
            emailSubject: 'Hello',
            emailText: 'Hello {{event.name}}',
          },
        ],
        cards: [
          {
            id: '00000000-0000-4000-8000-000000000002',
            code: 'EVERYTHING',
            kind: 'store-credit',
            status: 'Active',
            issuedThrough: 'automation',
            initialValue: 1000,
            balance: 800,
            adjustments: [{ amount: -200, notes: 'Order', actionedAtUtc: '2030-01-01T00:00:00Z', uniqueAdjustmentId: 'one' }],
            recipientName: 'Rea Recipient',
            recipientEmailAddress: 'rea@example.com',
            buyerName: 'Ben Buyer',
            buyerEmailAddress: 'ben@example.com',
            giftMessage: 'Hello',
            shouldSendNotification: true,
            sendAsGift: true,
            giftScheduledForUtc: '2031-01-01T00:00:00Z',
            disableEmails: true,
            isPromotional: true,
            customField1: '1',
            customField2: '2',
            customField3: '3',
            notes: 'A note',
            uniqueId: 'unique',
            expiresAtUtc: '2032-01-01T00:00:00Z',
            createdAtUtc: '2029-01-01T00:00:00Z',
            updatedAtUtc: '2030-01-02T00:00:00Z',
            deleted: true,
            batchId: 'batch',
            campaignId: 'campaign',
            automation: 'Thanks',
            apiEventName: 'thanks',
            apiEventProperties: { name: 'Rea' },
            inChannels: { web: { sourceId: 'source', balance: 700 } },
          },
        ],
        webhooks: [
          {
            id: '00000000-0000-4000-8000-000000000003',
            url: 'https://hooks.example.com/',
            description: 'Hook',
            requestHeaderVerificationToken: 'token',
            failures: 6,
            enabled: false,
            createdDaysAgo: 1,
          },
        ],
        coupons: [
          {
            id: '00000000-0000-4000-8000-000000000004',
            code: 'COUPON',
            discountType: 'FixedAmount',
            discountValue: 100,
            startsInDays: -1,
            endsAtUtc: '2031-01-01T00:00:00Z',
            usageLimit: 1,
            isActive: false,
          },
        ],
      },
    ],
  };
  expect(worldOf(everything).accounts[0]).toEqual(everything.accounts[0]);
});
