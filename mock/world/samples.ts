import { Chance } from '../account/clock.ts';
import type { Account, Card } from './description.ts';

const FIRST_NAMES = ['Ada', 'Ben', 'Carla', 'Dan', 'Emma', 'Finn', 'Grace', 'Hugo', 'Ida', 'Jon', 'Kate', 'Leo', 'Mia', 'Noah'];
const LAST_NAMES = ['Adams', 'Berg', 'Costa', 'Diaz', 'Evans', 'Fischer', 'Garcia', 'Hill', 'Ito', 'Jones', 'Kim', 'Lopez'];
const VALUES = [10, 20, 25, 50, 75, 100, 150, 200];

/** Replaces `sampleCards` by as many cards of invented people. The same seed gives the same cards. */
export function withSampleCards(account: Account, seed: number): Account {
  if (account.sampleCards === 0) return account;
  const chance = Chance.seeded(seed, `sample cards of ${account.id}`);
  const pick = <T>(values: readonly T[]) => values[chance.below(values.length)] as T;
  const sample = (_: unknown, index: number): Card => {
    const [firstName, lastName, initialValue] = [pick(FIRST_NAMES), pick(LAST_NAMES), pick(VALUES)];
    const createdDaysAgo = 1 + chance.below(720);
    const part = 1 + chance.below(initialValue - 1);
    const spent = pick([0, 0, 0, 0, 0, 0, part, part, part, initialValue]);
    const order = {
      amount: -spent,
      notes: `Order ${10_000 + chance.below(50_000)}`,
      actionedDaysAgo: chance.below(createdDaysAgo + 1),
      uniqueAdjustmentId: null,
    };
    return {
      ...BLANK,
      initialValue,
      recipientName: `${firstName} ${lastName}`,
      recipientEmailAddress: `${firstName}.${lastName}.${index + 1}@example.com`.toLowerCase(),
      isPromotional: chance.below(5) === 0,
      createdDaysAgo,
      adjustments: spent === 0 ? [] : [order],
    };
  };
  const samples = Array.from({ length: account.sampleCards }, sample);
  return { ...account, cards: [...account.cards, ...samples], sampleCards: 0 };
}

const BLANK = {
  kind: 'gift-card',
  recipientName: null,
  recipientEmailAddress: null,
  buyerName: null,
  buyerEmailAddress: null,
  giftMessage: null,
  shouldSendNotification: false,
  sendAsGift: false,
  disableEmails: false,
  customField1: null,
  customField2: null,
  customField3: null,
  notes: null,
  uniqueId: null,
  deleted: false,
  batchId: null,
  campaignId: null,
  automation: null,
  apiEventName: null,
  apiEventProperties: null,
  inChannels: {},
} as const;
