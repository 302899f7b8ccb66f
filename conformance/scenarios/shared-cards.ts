import { isSuccess, objectIn } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import { idOf } from '../http/json-search.ts';
import { type Card, type Created, card, cardOf, create, getByCode, sentFields, voidByCode, voidById } from './cards.ts';
import { findListed } from './lists.ts';

/** Returns a date that every service can store. The date is still in the future after the tests have advanced the target's clock. */
export const farExpiry = (years: number) => `${new Date().getUTCFullYear() + years}-10-11T12:13:14.000Z`;

export const plainFields = {
  // This balance reveals wrong rounding: in binary, 0.57 × 100 is a little less than 57, and cutting off the decimals gives 56.
  balance: 0.57,
  recipientName: 'Conformance Recipient',
  recipientEmailAddress: 'recipient@example.com',
  buyerName: 'Conformance Buyer',
  buyerEmailAddress: 'buyer@example.com',
  giftMessage: 'A message',
  isPromotional: true,
  customField1: 'first ✓ <&>"',
  customField2: '  second, with blanks  ',
  customField3: '0042',
  notes: 'Created by a conformance run',
  expiresAtUtc: farExpiry(15),
} as const;

export const notifiedFields = { ...sentFields, balance: 0.5, recipientEmailAddress: 'recipient@example.com' } as const;

export const bareFields = { balance: 0.5 } as const;

/** Fields of a gift. They have letters beyond ASCII, because such letters reveal a signature that does not cover exactly the sent bytes. */
export const giftedFields = {
  ...notifiedFields,
  balance: 0.75,
  sendAsGift: true,
  recipientName: 'Zoë Recipient',
  buyerName: 'Björn Buyer',
  buyerEmailAddress: 'buyer@example.com',
  giftMessage: 'For you ✓ <&> "quoted" 🎁\nand yours',
  isPromotional: true,
  expiresAtUtc: farExpiry(18),
} as const;

/** Creates the card that many clauses check. Tests of rejected creates use the success of this create as their control. */
export function plainCreate(t: Trial): Promise<Created> {
  return t.shared('plain card', async (shared) => {
    const full = await create(shared, plainFields);
    if (![400, 409, 422].includes(full.answer.status)) return full;
    // A target may lawfully reject some of these values, or such a small balance. The run then uses a card without these values.
    const bare = await create(shared, { balance: 1, disableEmails: undefined });
    return isSuccess(bare.answer) ? bare : full;
  });
}

/** Returns a card that no test changes. The card has all fields if the target accepts them. */
export const plainCard = async (t: Trial): Promise<Card> => cardOf(await plainCreate(t));

export const isFull = ({ fields }: Created): boolean => fields.customField1 !== undefined;

/** Returns the plain card with all fields. Throws Untested `control-failed` if the target accepts only a card without these fields. */
export async function fullCard(t: Trial): Promise<Card> {
  const made = await plainCreate(t);
  if (!isFull(made))
    throw new Untested(
      'control-failed',
      'the target rejected a card with all fields, but accepted a card with only a balance and a code',
    );
  return cardOf(made);
}

/** Creates a card. Several tests send its code or its uniqueId again, and use the success of this create as their control. */
export const repeatedCreate = (t: Trial): Promise<Created> =>
  t.shared('card that is created again', (shared) => create(shared, { balance: 0.5 }));

/** Returns a card whose balance tests change. Tests compare the balance before and after. */
export const mutableCard = (t: Trial): Promise<Card> => t.shared('mutable card', (shared) => card(shared, { balance: 1 }));

export const zeroCard = (t: Trial): Promise<Created> =>
  t.shared('card with a balance of zero', (shared) => create(shared, { balance: 0 }));

export const pastCard = (t: Trial): Promise<Created> =>
  t.shared('card with a past expiry', (shared) => create(shared, { balance: 0.5, expiresAtUtc: '2020-01-01T00:00:00Z' }));

/** Creates two cards that the service sends to one recipient. */
export function sentCards(t: Trial): Promise<{ address: string; older: Card; younger: Card }> {
  return t.shared('two cards sent to one recipient', async (shared) => {
    const address = `${shared.run.ledger.fresh('gcs').toLowerCase()}+conformance@example.com`;
    const older = await card(shared, { ...sentFields, recipientEmailAddress: address });
    return { address, older, younger: await card(shared, { ...sentFields, recipientEmailAddress: address }) };
  });
}

export function voidings(t: Trial) {
  return t.shared('voided cards', async (shared) => {
    // A wrong target may always void the newest card. To reveal such a target, the card to void by ID is the older card.
    const [first, second] = [await card(shared, { balance: 0.5 }), await card(shared, { balance: 0.5 })];
    return {
      byId: { on: first, answer: await voidById(shared, first.id) },
      byCode: { on: second, answer: await voidByCode(shared, second.code) },
    };
  });
}

/** Returns the cards of `voidings` that the target voided. Throws Blocked if there are none. */
export async function voidedCards(t: Trial): Promise<[Card, ...Card[]]> {
  const { byCode, byId } = await voidings(t);
  const [first, ...others] = [byCode, byId].filter(({ answer }) => isSuccess(answer));
  if (!first) throw new Blocked(`voiding by code answered ${byCode.answer.status}, and by ID ${byId.answer.status}`);
  return [first.on, ...others.map(({ on }) => on)];
}

export type Fixture = Pick<Card, 'code' | 'id'>;

/** Looks up a card of the profile. Throws Untested `fixture-missing` if the card is not found, or if it is in another state. */
export async function fixture(t: Trial, code: string, state?: string): Promise<Fixture> {
  const answer = await getByCode(t, code);
  if (answer.status !== 200)
    throw new Untested(
      'fixture-missing',
      `the lookup of the profile's card answered ${answer.status}; correct the card's code in the profile`,
    );
  const { id, status } = objectIn(answer);
  if (typeof id !== 'string' && typeof id !== 'number') throw new Untested('fixture-missing', "the profile's card has no ID");
  if (state !== undefined && status !== state)
    throw new Untested('fixture-missing', `the profile's card is ${String(status)}, not ${state}`);
  return { code, id };
}

/** Finds a deleted card of the profile in the list. */
export async function deletedCard(t: Trial, code: string): Promise<Fixture & { record: unknown }> {
  const record = await findListed(t, { code }, { includeAll: true });
  if (record === undefined)
    throw new Untested('fixture-missing', 'the list does not show the deleted card, not even with includeAll');
  const id = idOf(record);
  if (id === undefined) throw new Untested('fact-missing', 'the list shows no IDs of cards');
  return { code, id, record };
}
