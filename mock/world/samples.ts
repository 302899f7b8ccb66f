import { decimalsOf } from '../../openapi/currency.ts';
import type { FilledAccount, FilledCard } from './description.ts';

/** Adds as many cards as `sampleCards` says, for invented people, and sets `sampleCards` to 0. The same seed creates the same cards. */
export async function withSampleCards(account: FilledAccount, seed: number): Promise<FilledAccount> {
  if (account.sampleCards === 0) return account;
  const { faker } = await import('@faker-js/faker/locale/en');
  const { readPart: partOf } = await import('./read.ts');
  const blank = partOf('cards', {}, {});
  faker.seed([seed, ...Array.from(account.id, (letter) => letter.codePointAt(0) ?? 0)]);
  const fractionDigits = Math.min(2, decimalsOf(account.currency));
  const sample = (_: unknown, index: number): FilledCard => {
    const [firstName, lastName] = [faker.person.firstName(), faker.person.lastName()];
    const initialValue = faker.helpers.arrayElement([10, 20, 25, 50, 75, 100, 150, 200]);
    const createdDaysAgo = faker.number.int({ min: 1, max: 720 });
    const spent = faker.helpers.weightedArrayElement([
      { weight: 6, value: 0 },
      { weight: 3, value: faker.number.float({ min: 1, max: initialValue - 1, fractionDigits }) },
      { weight: 1, value: initialValue },
    ]);
    const redemption = {
      amount: -spent,
      notes: `Order ${faker.number.int({ min: 10_000, max: 99_999 })}`,
      actionedDaysAgo: faker.number.int({ min: 0, max: createdDaysAgo }),
      uniqueAdjustmentId: null,
    };
    return {
      ...blank,
      initialValue,
      recipientName: `${firstName} ${lastName}`,
      recipientEmailAddress: `${addressPart(firstName)}.${addressPart(lastName)}.${index + 1}@example.com`,
      isPromotional: faker.datatype.boolean(0.2),
      createdDaysAgo,
      adjustments: spent === 0 ? [] : [redemption],
    };
  };
  const samples = Array.from({ length: account.sampleCards }, sample);
  return { ...account, cards: [...account.cards, ...samples], sampleCards: 0 };
}

function addressPart(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
