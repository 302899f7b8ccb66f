import fc, { type Arbitrary } from 'fast-check';
import { contractShapes, type ReferenceOptions } from '../reference-server/options.ts';

const either = fc.boolean();
const card = fc.nat(3);
const refusalStatus = fc.constantFrom(400, 409, 422);
/** Undefined with the given weight, relative to the values. */
const optional = <T>(absent: number, present: number, values: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.oneof({ weight: absent, arbitrary: fc.constant(undefined) }, { weight: present, arbitrary: values });
/** True once in so many. */
const once = (times: number) => fc.nat(times - 1).map((drawn) => drawn === times - 1);

const isoTime = (time: number) => new Date(time).toISOString();
const issuedAt = fc.constantFrom(
  { path: 'createdAtUtc', formatTime: isoTime },
  { path: 'createdAtUtc', formatTime: (time: number) => isoTime(time).replace('Z', '') },
  { path: undefined, formatTime: isoTime },
);
const cardInHistory = fc.constantFrom<ReferenceOptions['paths']['history']['card']>(
  'giftCard',
  { around: true },
  { inEach: 'giftCard' },
);
const listedCard = fc.constantFrom<ReferenceOptions['listedCard']>(
  (_, view) => view,
  (_, view) => ({ giftCard: view }),
  ({ id, code, balance }) => ({ id, code, balance }),
);
const switches = fc.record({
  listedCard,
  frees: fc.record({ voided: either, expired: either, deleted: either }),
  foldsNewCodes: either,
  foldsNames: either,
  findsDeleted: fc.record({ byCode: either, byId: either, changes: either }),
  pastExpiryStatus: fc.constantFrom(200, 400, 422),
  preciseAmountStatus: refusalStatus,
  adjustVoidedStatus: fc.constantFrom(200, 400, 409),
  adjustExpiredStatus: fc.constantFrom(200, 400, 422),
  overdrawStatus: refusalStatus,
  voidAgainStatus: fc.constantFrom(200, 400, 404, 409),
  refusesAsJson: either,
  checksRepeatFirst: either,
  refusedAdjustmentUsesId: either,
  forgetsUniqueValuesAfterDay: either,
  emptyIsRedeemed: either,
  expiryEmpties: either,
  expiresVoided: either,
});

/** Lawful services that use the names of the contract, for a client that knows no others. */
export const anyLawfulOptions: Arbitrary<Partial<ReferenceOptions>> = fc
  .tuple(switches, issuedAt, cardInHistory)
  .map(([chosen, { path, formatTime }, place]) => {
    const history = { ...contractShapes.paths.history, card: place };
    const paths = { ...contractShapes.paths, issuedAt: path, history };
    return { ...contractShapes, ...chosen, tick: 0, formatTime, paths };
  });

const tooPrecise = 0.001;

/** One request of a client. Cards are indexes, modulo the number of cards when the request is sent. */
const request = fc.record({
  action: fc.constantFrom('create', 'create', 'adjust', 'adjust', 'void', 'get', 'get', 'history', 'list'),
  card,
  by: fc.constantFrom('Code', 'Id'),
  /** The code or ID in capitals. */
  isUpper: once(8),
  code: optional(1, 3, fc.constantFrom('a', 'b', 'A')),
  uniqueValue: optional(2, 1, fc.constantFrom('u', 'v')),
  balance: fc.constantFrom(5, 2, 5, 2, 5, 2, 5, 2, 5, 2, tooPrecise),
  amount: fc.constantFrom(1, -1, 2, -3, -9, 5, tooPrecise),
  customField1: optional(3, 1, fc.constantFrom('own-1', 'own-2')),
  /** Milliseconds after the request. */
  expiresIn: optional(4, 1, fc.constantFrom(0, 100, 5_000, 40_000)),
  /** Sends the previous adjustment again instead. */
  isRepeat: once(5),
  pageNumber: fc.nat(1),
  pageSize: fc.constantFrom(2, 50),
  includeAll: once(3),
  /** The card whose issue time is `since`. */
  since: optional(3, 1, card),
});
/** An action of another client on a card, which the client does not see. */
const foreign = fc.record({
  action: fc.constantFrom('void', 'void', 'restore', 'restore', 'spend', 'spend', 'delete'),
  card,
  amount: fc.constantFrom(1, -1, 5),
});
const sent = fc.record({
  request,
  /** Requests sent together take effect in this order. */
  order: fc.nat(2),
  /** Sent with the second of two keys of the account. */
  usesOtherKey: once(10),
  before: optional(4, 1, foreign),
  /** The answer is lost. The request takes effect after this time, or never; a gateway may answer 502. */
  lost: optional(9, 1, fc.record({ takesEffect: either, after: fc.constantFrom(0, 500, 15_000, 29_000), hasGateway: once(3) })),
});
/** Requests sent together, some milliseconds after the previous step. */
const step = fc.record({
  after: fc.constantFrom(100, 100, 100, 100, 100, 100, 9_000, 9_000, 70_000, 70_000, 90_000_000),
  foreign: optional(2, 1, foreign),
  sent: fc.oneof({ weight: 3, arbitrary: fc.tuple(sent) }, { weight: 1, arbitrary: fc.tuple(sent, sent, sent) }),
});
const undisturbed = { order: 0, usesOtherKey: false, before: undefined, lost: undefined };
const calmStep = fc.record({
  after: fc.constantFrom(100, 100, 2_000, 70_000),
  foreign: optional(5, 1, foreign),
  sent: fc.tuple(request.map((each) => ({ request: each, ...undisturbed }))),
});

type ValueOf<A> = A extends Arbitrary<infer T> ? T : never;

export type PlannedRequest = ValueOf<typeof request>;
export type ForeignAction = ValueOf<typeof foreign>;
export type SentRequest = ValueOf<typeof sent>;
export type TrafficStep = ValueOf<typeof step | typeof calmStep>;

const traffic = (steps: Arbitrary<TrafficStep>, minLength = 1) => fc.array(steps, { minLength, maxLength: 25, size: 'max' });

export const anyTraffic = fc.oneof({ weight: 2, arbitrary: traffic(step) }, { weight: 1, arbitrary: traffic(calmStep) });
/** At least 20 requests, one after the other, all answered, all within a day. */
export const calmTraffic = traffic(calmStep, 20);
