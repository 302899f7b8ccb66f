import fc, { type Arbitrary } from 'fast-check';
import { type By, tooPrecise } from './records-fixture.ts';

/** What a client asks for. Cards are named by a number that counts round those that there are when it is asked. */
export type Request =
  | {
      readonly does: 'create';
      readonly code: string | undefined;
      readonly uniqueId: string | undefined;
      readonly balance: number;
      readonly customField1: string | undefined;
      /** Milliseconds from when it is asked. */
      readonly expiresIn: number | undefined;
    }
  | {
      readonly does: 'adjust';
      readonly card: number;
      readonly by: By;
      readonly amount: number;
      readonly notes: string;
      readonly actioned: string;
      /** Undefined for one of its own. */
      readonly unique: string | undefined;
      /** The adjustment before is sent again, in place of this one. */
      readonly isRepeat: boolean;
    }
  | { readonly does: 'void' | 'look' | 'history'; readonly card: number; readonly by: By; readonly isUpper: boolean }
  | {
      readonly does: 'list';
      readonly page: number;
      readonly size: number;
      readonly all: boolean;
      /** The card since whose issue cards are asked for, nearly. */
      readonly since: number | undefined;
    };

/** What others do to a card, of which nobody is told. */
export interface Meddling {
  readonly does: 'void' | 'revive' | 'delete' | 'spend';
  readonly card: number;
  readonly amount: number;
  readonly notes: string;
}

export interface Sent {
  readonly request: Request;
  /** Requests that are sent at once come about by these numbers. */
  readonly turn: number;
  /** Of two keys of the account, the second one. */
  readonly hasOtherKey: boolean;
  /** What others do just before it comes about. */
  readonly before: Meddling | undefined;
  /** Whether its answer is lost, and if so, whether and after how many milliseconds it comes about all the same; some of those are told of by a gateway. */
  readonly lost: { readonly comesAbout: boolean; readonly after: number; readonly isTold: boolean } | undefined;
}

/** What is sent at once, so many milliseconds after the step before. */
export interface Step {
  readonly after: number;
  readonly meddling: Meddling | undefined;
  readonly sent: readonly Sent[];
}

const card = fc.nat(3);
const by = fc.constantFrom<By>('code', 'ID');
/** Undefined so many times out of the two numbers' sum. */
const perhaps = <T>(no: number, yes: number, what: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.oneof({ weight: no, arbitrary: fc.constant(undefined) }, { weight: yes, arbitrary: what });
const notes = ['text-0123456789-x', 'text-0123456789-y'] as const;
const rarely = (yes: number) => fc.nat(yes - 1).map((drawn) => drawn === yes - 1);

const create: Arbitrary<Request> = fc.record({
  does: fc.constant('create' as const),
  code: perhaps(1, 3, fc.constantFrom('a', 'b', 'A')),
  uniqueId: perhaps(1, 1, fc.constantFrom('u', 'v')),
  balance: fc.constantFrom(5, 2, 5, 2, 5, 2, 5, 2, 5, 2, tooPrecise),
  customField1: perhaps(3, 1, fc.constantFrom('text-own-1', 'text-own-2')),
  expiresIn: perhaps(4, 1, fc.constantFrom(0, 100, 5_000, 40_000)),
});
const adjust: Arbitrary<Request> = fc.record({
  does: fc.constant('adjust' as const),
  ...{ card, by },
  amount: fc.constantFrom(1, -1, 2, -3, -9, 5, tooPrecise),
  notes: fc.constantFrom(...notes),
  actioned: fc.constantFrom('2025-12-01T00:00:00Z', '2025-12-02T00:00:00Z', '2025-12-03T00:00:00', '2025-12-30T10:11:12.345Z'),
  unique: perhaps(3, 1, fc.constantFrom('x', 'y')),
  isRepeat: rarely(5),
});
const others: Arbitrary<Request> = fc.record({
  does: fc.constantFrom('void' as const, 'look' as const, 'look' as const, 'history' as const),
  ...{ card, by, isUpper: rarely(8) },
});
const list: Arbitrary<Request> = fc.record({
  does: fc.constant('list' as const),
  ...{ page: fc.nat(1), size: fc.constantFrom(2, 50), all: rarely(3), since: perhaps(3, 1, card) },
});
const request = fc.oneof(
  { weight: 2, arbitrary: create },
  { weight: 2, arbitrary: adjust },
  { weight: 4, arbitrary: others },
  { weight: 1, arbitrary: list },
);

const meddling: Arbitrary<Meddling> = fc.record({
  does: fc.constantFrom(
    'void' as const,
    'void' as const,
    'revive' as const,
    'revive' as const,
    'spend' as const,
    'spend' as const,
    'delete' as const,
  ),
  card,
  amount: fc.constantFrom(1, -1, 5),
  notes: fc.constantFrom(notes[0], 'text-0123456789-other'),
});
const lost = fc.record({ comesAbout: fc.boolean(), after: fc.constantFrom(0, 500, 15_000, 29_000), isTold: rarely(3) });
const sent = fc.record({
  request,
  turn: fc.nat(2),
  hasOtherKey: rarely(10),
  before: perhaps(4, 1, meddling),
  lost: perhaps(9, 1, lost),
});
const step: Arbitrary<Step> = fc.record({
  after: fc.constantFrom(100, 100, 100, 100, 100, 100, 9_000, 9_000, 70_000, 70_000, 90_000_000),
  meddling: perhaps(2, 1, meddling),
  sent: fc.oneof({ weight: 3, arbitrary: fc.tuple(sent) }, { weight: 1, arbitrary: fc.tuple(sent, sent, sent) }),
});
const calmStep: Arbitrary<Step> = fc.record({
  after: fc.constantFrom(100, 100, 2_000, 70_000),
  meddling: perhaps(5, 1, meddling),
  sent: fc.tuple(
    fc.record({
      request,
      turn: fc.constant(0),
      hasOtherKey: fc.constant(false),
      before: fc.constant(undefined),
      lost: fc.constant(undefined),
    }),
  ),
});
const rowOf = (each: Arbitrary<Step>, least = 1): Arbitrary<Step[]> =>
  fc.array(each, { minLength: least, maxLength: 25, size: 'max' });

export const anySteps = fc.oneof({ weight: 2, arbitrary: rowOf(step) }, { weight: 1, arbitrary: rowOf(calmStep) });
/** One after the other, each with its answer, and all of them within a day: much is certain then. */
export const calmSteps = rowOf(calmStep, 20);
