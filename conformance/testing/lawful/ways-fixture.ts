import fc, { type Arbitrary } from 'fast-check';

/** What a service does where the specification leaves it open. */
export type Ways = typeof anyWays extends Arbitrary<infer W> ? W : never;

const refusal = fc.constantFrom(400, 409, 422);
const either = fc.boolean();

export const anyWays = fc.record({
  /** Whether a code is free again that a card of that kind has had. */
  codeIsFreeOf: fc.record({ voided: either, expired: either, deleted: either }),
  uniqueIdIsFreeOf: fc.record({ voided: either, expired: either, deleted: either }),
  /** Of several cards that have had a code, which one it leads to. */
  codeLeadsTo: fc.constantFrom('the newest', 'one in use'),
  /** Whether a code is taken that a card has in other letters, and whether adjustments and voids find a card by such a code, or by an ID in other letters. */
  foldsTaken: either,
  foldsNames: either,
  voidedAgain: fc.constantFrom(200, 400, 404, 409),
  /** How the adjustment of such a card is answered; 200 moves its balance. */
  adjusts: fc.record({ voided: fc.constantFrom(200, 400, 409), expired: fc.constantFrom(200, 400, 422) }),
  overdraws: refusal,
  /** How too many decimals are refused, and a moment that is no good. */
  refuses: fc.record({ amount: refusal, expiry: refusal, asJson: either }),
  takesPastExpiry: either,
  /** Which of several reasons for a refusal comes first. */
  tellsRepeatFirst: either,
  /** Whether an adjustment that is refused uses its unique value up. */
  refusedIsUsedUp: either,
  /** Whether unique values are forgotten after a day. */
  forgetsAfterDay: either,
  /** Whether deleted cards are still found, beside the list; adjustments and voids of them. */
  findsDeleted: fc.record({ byCode: either, byId: either, moves: either }),
  /** What comes of an empty card, and of one that expires. */
  emptyIsRedeemed: either,
  expiryEmpties: either,
  expiresVoided: either,
  /** Entries of its own in the history. */
  books: fc.record({ issue: either, voiding: either, expiry: either }),
  history: fc.record({
    size: fc.constantFrom(1, 2, 3, 5, 50),
    orderedBy: fc.constantFrom('booking', 'moment'),
    names: fc.constantFrom(
      { amount: 'amount', type: 'type', notes: 'notes', at: 'actionedAtUtc', booked: 'createdAtUtc' },
      { amount: 'value', type: 'kind', notes: 'comment', at: 'date', booked: 'recorded' },
    ),
    isSigned: either,
    typeIsVeiled: either,
    /** Text around the notes. */
    decoratesNotes: either,
    times: fc.constantFrom('both', 'moment', 'moment without its zone', 'day'),
    card: fc.constantFrom('beside', 'around', 'in each'),
  }),
  list: fc.record({
    cards: fc.constantFrom('plain', 'wrapped', 'brief'),
    behindLast: fc.constantFrom('nothing', 'first', 'last'),
    countsDeleted: either,
  }),
  issued: fc.constantFrom('Z', '', undefined),
  /** Milliseconds after which the channels have a change, which is an update of its own; 0 for none. */
  updatesLater: fc.constantFrom(0, 2_000, 30_000),
});
