import { arranged, type Trial } from '../core/trial.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { voidByCode, voidById } from './card-requests.ts';
import { type Card, type Created, type CreateFields, card, create, createdCard } from './cards.ts';

/** Cards that are created once and looked at by several checks. */

/** The create that many clauses look at, asked for once and judged by each; the control, too, of creates that are to be refused for one thing in which they differ. */
export function plainCreate(t: Trial): Promise<Created> {
  return t.shared('plain card', async (shared) => {
    const full = await create(shared, plainFields);
    if (![400, 409, 422].includes(full.answer.status)) return full;
    // The text does not say that all of these values are taken, nor so small an amount. If nothing is, the first refusal stands.
    for (const balance of [1, 10]) {
      const bare = await create(shared, { balance, uniqueId: undefined, disableEmails: undefined });
      if (bare.answer.status === 200) return bare;
    }
    return full;
  });
}

/** One card that checks only look at, with much on it where the target takes that. Blocked when it was not created. */
export async function plainCard(t: Trial): Promise<Card> {
  return createdCard(await plainCreate(t));
}

export const isFull = ({ asked }: Created): boolean => asked.customField1 !== undefined;

/** The same for checks of what is on it. Untested `control-failed` where the target took only a card with nothing on it. */
export async function fullCard(t: Trial): Promise<Card> {
  const made = await plainCreate(t);
  if (!isFull(made))
    throw new Untested('control-failed', 'a card with everything on it was refused, and one with a balance and a code was not');
  return createdCard(made);
}

/** Not so far away that it cannot be written down, and well behind all that a run lets pass. */
export const farExpiry = (years: number) => `${new Date().getUTCFullYear() + years}-10-11T12:13:14.000Z`;

export const plainFields = {
  // A hundred times that is, in binary fractions, a little less than 57.
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
} as const satisfies CreateFields;

/** A create whose code and uniqueId are asked for once more, by several checks; that it was taken is the control of theirs, which differ from it in one thing. */
export const repeatedCreate = (t: Trial): Promise<Created> =>
  t.shared('card that is asked for again', (shared) => create(shared, { balance: 0.5 }));

/** The same as a card. Blocked when it was not created. */
export const repeatedCard = async (t: Trial): Promise<Card> => createdCard(await repeatedCreate(t));

/** One card for checks that move its balance and look at the difference only. */
export function purse(t: Trial): Promise<Card> {
  return t.shared('purse', (shared) => card(shared, { balance: 1 }));
}

/** The create of a card with a balance of zero, which may be refused. */
export const zeroCard = (t: Trial): Promise<{ code: string; answer: Answer }> =>
  t.shared('card of zero', (shared) => create(shared, { balance: 0 }));

/** The same with an expiry that is past. */
export const pastCard = (t: Trial): Promise<{ code: string; answer: Answer }> =>
  t.shared('card that has expired', (shared) => create(shared, { balance: 0.5, expiresAtUtc: '2020-01-01T00:00:00Z' }));

/** Two cards and what voiding them answered, one by code and one by ID, done once and looked at by several clauses. */
export function voidings(t: Trial): Promise<{ byCode: Voiding; byId: Voiding }> {
  return t.shared('voided cards', async (shared) => {
    // The one that is voided by ID is not the latest.
    const [first, second] = [await card(shared, { balance: 0.5 }), await card(shared, { balance: 0.5 })];
    return {
      byId: { on: first, answer: await voidById(shared, first.id) },
      byCode: { on: second, answer: await voidByCode(shared, second.code) },
    };
  });
}

interface Voiding {
  on: Card;
  answer: Answer;
}

/** Those of them that were voided. Blocked when none could be. */
export async function voidedCards(t: Trial): Promise<[Card, ...Card[]]> {
  const { byCode, byId } = await voidings(t);
  const [first, ...others] = [byCode, byId].flatMap(({ on, answer }) => (answer.status === 200 ? [on] : []));
  if (first) return [first, ...others];
  arranged(byCode.answer, 'voiding by code');
  throw new Blocked('no card could be voided');
}
