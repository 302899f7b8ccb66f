import fc, { type Arbitrary } from 'fast-check';

/** One request of a client. Cards are indexes, modulo the number of cards when the request is sent. */
export interface PlannedRequest {
  readonly action: 'create' | 'adjust' | 'void' | 'get' | 'history' | 'list';
  readonly card: number;
  readonly by: 'code' | 'ID';
  /** The code or ID in capitals. */
  readonly isUpper: boolean;
  readonly code: string | undefined;
  readonly uniqueValue: string | undefined;
  readonly balance: number;
  readonly amount: number;
  readonly notes: string;
  readonly actionedAtUtc: string;
  readonly customField1: string | undefined;
  /** Milliseconds after the request. */
  readonly expiresIn: number | undefined;
  /** Sends the previous adjustment again instead. */
  readonly isRepeat: boolean;
  readonly page: number;
  readonly pageSize: number;
  readonly includeAll: boolean;
  /** The card whose issue time is `since`. */
  readonly since: number | undefined;
}

/** What somebody else does to a card, unseen by the client. */
export interface ForeignAction {
  readonly action: 'void' | 'restore' | 'delete' | 'spend';
  readonly card: number;
  readonly amount: number;
  readonly notes: string;
}

export interface SentRequest {
  readonly request: PlannedRequest;
  /** Requests sent together take effect in this order. */
  readonly order: number;
  /** Sent with the second of two keys of the account. */
  readonly usesOtherKey: boolean;
  readonly before: ForeignAction | undefined;
  /** The answer is lost. The request takes effect after this time, or never; a gateway may answer 502. */
  readonly lost: { readonly takesEffect: boolean; readonly after: number; readonly hasGateway: boolean } | undefined;
}

/** Requests sent together, some milliseconds after the previous step. */
export interface TrafficStep {
  readonly after: number;
  readonly foreign: ForeignAction | undefined;
  readonly sent: readonly SentRequest[];
}

const card = fc.nat(3);
/** Undefined with the given weight, relative to the values. */
const optional = <T>(absent: number, present: number, values: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.oneof({ weight: absent, arbitrary: fc.constant(undefined) }, { weight: present, arbitrary: values });
/** True once in so many. */
const once = (times: number) => fc.nat(times - 1).map((drawn) => drawn === times - 1);
const notes = ['note-0123456789-x', 'note-0123456789-y'] as const;
const tooPrecise = 0.001;

const request: Arbitrary<PlannedRequest> = fc.record({
  action: fc.constantFrom('create', 'create', 'adjust', 'adjust', 'void', 'get', 'get', 'history', 'list'),
  card,
  by: fc.constantFrom('code', 'ID'),
  isUpper: once(8),
  code: optional(1, 3, fc.constantFrom('a', 'b', 'A')),
  uniqueValue: optional(2, 1, fc.constantFrom('u', 'v')),
  balance: fc.constantFrom(5, 2, 5, 2, 5, 2, 5, 2, 5, 2, tooPrecise),
  amount: fc.constantFrom(1, -1, 2, -3, -9, 5, tooPrecise),
  notes: fc.constantFrom(...notes),
  actionedAtUtc: fc.constantFrom(
    '2025-12-01T00:00:00Z',
    '2025-12-02T00:00:00Z',
    '2025-12-03T00:00:00',
    '2025-12-30T10:11:12.345Z',
  ),
  customField1: optional(3, 1, fc.constantFrom('own-1', 'own-2')),
  expiresIn: optional(4, 1, fc.constantFrom(0, 100, 5_000, 40_000)),
  isRepeat: once(5),
  page: fc.nat(1),
  pageSize: fc.constantFrom(2, 50),
  includeAll: once(3),
  since: optional(3, 1, card),
});
const foreign: Arbitrary<ForeignAction> = fc.record({
  action: fc.constantFrom('void', 'void', 'restore', 'restore', 'spend', 'spend', 'delete'),
  card,
  amount: fc.constantFrom(1, -1, 5),
  notes: fc.constantFrom(notes[0], 'note-0123456789-other'),
});
const sent: Arbitrary<SentRequest> = fc.record({
  request,
  order: fc.nat(2),
  usesOtherKey: once(10),
  before: optional(4, 1, foreign),
  lost: optional(
    9,
    1,
    fc.record({ takesEffect: fc.boolean(), after: fc.constantFrom(0, 500, 15_000, 29_000), hasGateway: once(3) }),
  ),
});
const step: Arbitrary<TrafficStep> = fc.record({
  after: fc.constantFrom(100, 100, 100, 100, 100, 100, 9_000, 9_000, 70_000, 70_000, 90_000_000),
  foreign: optional(2, 1, foreign),
  sent: fc.oneof({ weight: 3, arbitrary: fc.tuple(sent) }, { weight: 1, arbitrary: fc.tuple(sent, sent, sent) }),
});
const undisturbed = { order: 0, usesOtherKey: false, before: undefined, lost: undefined };
const calmStep: Arbitrary<TrafficStep> = fc.record({
  after: fc.constantFrom(100, 100, 2_000, 70_000),
  foreign: optional(5, 1, foreign),
  sent: fc.tuple(request.map((each) => ({ request: each, ...undisturbed }))),
});

const traffic = (steps: Arbitrary<TrafficStep>, minLength = 1) => fc.array(steps, { minLength, maxLength: 25, size: 'max' });

export const anyTraffic = fc.oneof({ weight: 2, arbitrary: traffic(step) }, { weight: 1, arbitrary: traffic(calmStep) });
/** At least 20 requests, one after the other, all answered, all within a day. */
export const calmTraffic = traffic(calmStep, 20);
