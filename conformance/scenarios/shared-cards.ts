import { isRefusal, isSuccess, objectIn } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { certainIdOf } from '../http/json-search.ts';
import { fullPage } from '../safety/card-search.ts';
import { Untested } from '../safety/policy.ts';
import {
  type Created,
  createCard,
  createdCard,
  getByCode,
  getById,
  sentFields,
  type TestCard,
  tryCreate,
  voidByCode,
  voidById,
} from './cards.ts';
import { cardsOf, findListed, sendList } from './lists.ts';

/** Returns a date that every service can store. The date is still in the future after the tests have advanced the target's clock. */
export const farExpiry = (years: number) => `${new Date().getUTCFullYear() + years}-10-11T12:13:14.000Z`;

export const plainFields = {
  // This balance reveals wrong rounding: in binary, 1.15 × 100 is a little less than 115, and cutting off the decimals gives 114.
  balance: 1.15,
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

export const notifiedFields = { ...sentFields, balance: 1.5, recipientEmailAddress: 'recipient@example.com' } as const;

/** Fields of a gift. They have letters beyond ASCII, because such letters reveal a signature that does not cover exactly the sent bytes. */
export const giftedFields = {
  ...notifiedFields,
  balance: 1.75,
  sendAsGift: true,
  recipientName: 'Zoë Recipient',
  buyerName: 'Björn Buyer',
  buyerEmailAddress: 'buyer@example.com',
  giftMessage: 'For you ✓ <&> "quoted" 🎁\nand yours',
  isPromotional: true,
  expiresAtUtc: farExpiry(18),
} as const;

/** Creates the card that many rules check. Tests of rejected creates use the success of this create as their control. */
export function plainCreate(t: Trial): Promise<Created> {
  return t.shared('plain card', async (shared) => {
    const full = await tryCreate(shared, plainFields);
    if (!isRefusal(full.response.status)) return full;
    // A target may lawfully reject some of these values. The run then uses a card without these values.
    const bare = await tryCreate(shared, { balance: 1, disableEmails: undefined });
    return isSuccess(bare.response) ? bare : full;
  });
}

/** Returns a card that no test changes before the tests of voids. The card has all fields if the target accepts them. */
export const plainCard = async (t: Trial): Promise<TestCard> =>
  t.isReadOnly ? (await cardsFound(t))[0] : createdCard(await plainCreate(t));

/** Looks up a card by code. No test changes the plain card, so all tests share one look-up of that card. */
export async function viewByCode(t: Trial, code: string): Promise<TargetResponse> {
  const plain = t.isReadOnly ? await plainCard(t) : await plainCreate(t);
  if (code !== plain.code) return getByCode(t, code);
  return t.shared('look-up of the plain card by code', (shared) => getByCode(shared, code));
}

/** Returns two cards of the account, for a run that changes nothing. Reports show neither their codes nor their IDs. */
function cardsFound(t: Trial): Promise<[TestCard, TestCard]> {
  return t.shared('cards in the list', async (shared) => {
    const response = mustSucceed(await sendList(shared, { pageSize: fullPage }), 'listing cards');
    const found: TestCard[] = [];
    for (const record of cardsOf(response) ?? []) {
      if (found.length === 2) break;
      const name = `found#${found.length + 1}`;
      // The specification does not name the properties of a listed card, so the code or the ID may be unknown before the look-up.
      const [{ code: listed }, listedId] = [Object(record), certainIdOf(record)];
      if (listed !== undefined) shared.run.redactor.learn(String(listed), name);
      const response = await (listed === undefined ? getById(shared, listedId ?? 'none') : getByCode(shared, String(listed)));
      const [code, id] = [listed ?? Object(response.json).code, listedId ?? Object(response.json).id];
      if (code === undefined || id === undefined) continue;
      shared.run.redactor.learn(String(code), name);
      shared.run.redactor.learn(String(id), `${name}.id`);
      found.push({ name, code, id, response });
    }
    const [first, second = first] = found;
    if (!first || !second) throw new Untested('fixture-missing', 'the list shows no card with a code and an ID');
    return [first, second];
  });
}

export const isFull = ({ fields }: Created): boolean => fields.customField1 !== undefined;

/** Returns the plain card with all fields. Throws Untested `control-failed` if the target accepts only a card without these fields. */
export async function fullCard(t: Trial): Promise<TestCard> {
  const made = await plainCreate(t);
  if (!isFull(made))
    throw new Untested(
      'control-failed',
      'the target rejected a card with all fields, but accepted a card with only a balance and a code',
    );
  return createdCard(made);
}

/** Creates a card whose balance tests change. Tests compare the balance before and after. Some tests send its code or its uniqueId again. */
export const mutableCreate = (t: Trial): Promise<Created> =>
  t.shared('mutable card', (shared) => tryCreate(shared, { balance: 1 }));

export const mutableCard = async (t: Trial): Promise<TestCard> =>
  t.isReadOnly ? (await cardsFound(t))[1] : createdCard(await mutableCreate(t));

/** Returns a card to which tests give a balance. */
export const balanceCard = (t: Trial): Promise<TestCard> => t.shared('card for overdrafts', (shared) => createCard(shared));

export const zeroCard = (t: Trial): Promise<Created> =>
  t.shared('card with a balance of zero', (shared) => tryCreate(shared, { balance: 0 }));

export const pastCard = (t: Trial): Promise<Created> =>
  t.shared('card with a past expiry', (shared) => tryCreate(shared, { expiresAtUtc: '2020-01-01T00:00:00Z' }));

/** Creates two cards that the service sends to one recipient. */
export function sentCards(t: Trial): Promise<{ address: string; older: TestCard; younger: TestCard }> {
  return t.shared('two cards sent to one recipient', async (shared) => {
    const address = `${shared.run.ledger.fresh('gcs').toLowerCase()}+conformance@example.com`;
    const older = await createCard(shared, { ...sentFields, recipientEmailAddress: address });
    return { address, older, younger: await createCard(shared, { ...sentFields, recipientEmailAddress: address }) };
  });
}

/** Voids a card by its ID, and a card by its code. A run that may create only a few cards voids the cards of other tests, so the tests of voids come last. */
export function voidings(t: Trial) {
  return t.shared('voided cards', async (shared) => {
    // A wrong target may always void the newest card. To reveal such a target, the card to void by ID is the older card.
    const [first, second, other] = shared.isLimited
      ? [await mutableCard(shared), await plainCard(shared), await balanceCard(shared)]
      : [await createCard(shared), await createCard(shared), await plainCard(shared)];
    const look = async (on: TestCard, response: TargetResponse) =>
      isSuccess(response)
        ? { on, response, byCode: await getByCode(shared, on.code), byId: await getById(shared, on.id) }
        : { on, response, byCode: response, byId: response };
    const [byId, byCode] = [await voidById(shared, first.id), await voidByCode(shared, second.code)];
    return { byId: await look(first, byId), byCode: await look(second, byCode), other: await getByCode(shared, other.code) };
  });
}

type Voiding = Awaited<ReturnType<typeof voidings>>['byId'];

/** Returns the voidings that the target accepted. Throws Blocked if there are none. */
export async function acceptedVoidings(t: Trial): Promise<[Voiding, ...Voiding[]]> {
  const { byCode, byId } = await voidings(t);
  const [first, ...others] = [byCode, byId].filter(({ response }) => isSuccess(response));
  if (!first) throw new Blocked(`voiding by code returned ${byCode.response.status}, and by ID ${byId.response.status}`);
  return [first, ...others];
}

export type FixtureCard = Pick<TestCard, 'code' | 'id'>;

/** Looks up a card of the profile. Throws Untested `fixture-missing` if the card is not found, or if it is in another state. */
export async function fixture(t: Trial, code: string, state?: string): Promise<FixtureCard> {
  const response = await getByCode(t, code);
  if (response.status !== 200)
    throw new Untested(
      'fixture-missing',
      `the lookup of the profile's card returned ${response.status}; correct the card's code in the profile`,
    );
  const { id, status } = objectIn(response);
  if (typeof id !== 'string' && typeof id !== 'number') throw new Untested('fixture-missing', "the profile's card has no ID");
  if (state !== undefined && status !== state)
    throw new Untested('fixture-missing', `the profile's card is ${String(status)}, not ${state}`);
  return { code, id };
}

/** Finds a deleted card of the profile in the list. */
export async function deletedCard(t: Trial, code: string): Promise<FixtureCard & { record: unknown }> {
  const record = await findListed(t, { code }, { includeAll: true });
  if (record === undefined)
    throw new Untested('fixture-missing', 'the list does not show the deleted card, not even with includeAll');
  const id = certainIdOf(record);
  if (id === undefined) throw new Untested('fact-missing', 'the list shows no IDs of cards');
  return { code, id, record };
}
