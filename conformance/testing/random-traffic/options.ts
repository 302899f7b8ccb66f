import fc, { type Arbitrary } from 'fast-check';
import { contractShapes, defaultOptions, type ReferenceOptions } from '../reference-server/options.ts';

/** Lawful services that use the names of the contract, for a client that knows no others. */

const either = fc.boolean();
const refusalStatus = fc.constantFrom(400, 409, 422);
const freed = fc.record({ voided: either, expired: either, deleted: either });

const day = (time: string) => new Date(time).toISOString().slice(0, 10);
const formats = {
  'exact and recorded': [(time: string) => new Date(time).toISOString(), 'createdAtUtc'],
  exact: [(time: string) => new Date(time).toISOString(), undefined],
  'without zone': [(time: string) => new Date(time).toISOString().replace('Z', ''), undefined],
  day: [day, undefined],
} as const;

const history = fc
  .record({
    size: fc.constantFrom(1, 2, 3, 5, 50),
    orderedBy: fc.constantFrom('recorded' as const, 'actioned' as const),
    isSigned: either,
    hasOtherNames: either,
    decoratesNotes: either,
    format: fc.constantFrom(...(Object.keys(formats) as (keyof typeof formats)[])),
    card: fc.constantFrom('giftCard' as const, { around: true } as const, { inEach: 'giftCard' } as const),
  })
  .map(({ hasOtherNames, decoratesNotes, format, card, ...more }) => {
    const [formatActioned, recordedAt] = formats[format];
    const standard = { ...contractShapes.paths.history, entries: 'adjustments', recordedAt };
    const names = hasOtherNames
      ? {
          ...standard,
          amount: 'value',
          type: 'kind',
          notes: 'comment',
          actionedAt: 'date',
          ...(recordedAt ? { recordedAt: 'recorded' } : {}),
        }
      : standard;
    const showNotes = (notes: string) => (decoratesNotes ? `noted ${notes}` : notes);
    const isAround = typeof card !== 'string' && 'around' in card;
    return {
      paths: { ...names, card, entries: isAround ? 'history' : 'adjustments' },
      history: { ...defaultOptions.history, ...more, showNotes, formatActioned },
    };
  });

const issuedAt = fc.constantFrom(
  { path: 'createdAtUtc', format: (time: number) => new Date(time).toISOString() },
  { path: 'createdAtUtc', format: (time: number) => new Date(time).toISOString().replace('Z', '') },
  { path: undefined, format: (time: number) => new Date(time).toISOString() },
);

const listedCard = fc.constantFrom<ReferenceOptions['listedCard']>(
  (_, view) => view,
  (_, view) => ({ giftCard: view }),
  ({ id, code, balance }) => ({ id, code, balance }),
);

export const anyLawfulOptions: Arbitrary<Partial<ReferenceOptions>> = fc
  .record({
    shape: history,
    issuedAt,
    switches: fc.record({
      listedCard,
      isCodeFreeOf: freed,
      isUniqueIdFreeOf: freed,
      codeFinds: fc.constantFrom('newest' as const, 'usable' as const),
      foldsNewCodes: either,
      foldsNames: either,
      findsDeleted: fc.record({ byCode: either, byId: either, changes: either }),
      pastExpiryStatus: fc.constantFrom(200, 400, 422),
      preciseAmountStatus: refusalStatus,
      adjustVoidedStatus: fc.constantFrom(200, 400, 409),
      adjustExpiredStatus: fc.constantFrom(200, 400, 422),
      overdrawStatus: refusalStatus,
      voidAgainStatus: fc.constantFrom(200, 400, 404, 409),
      ...{
        refusesAsJson: either,
        checksRepeatFirst: either,
        refusedAdjustmentUsesId: either,
        forgetsUniqueValuesAfterDay: either,
      },
      emptyIsRedeemed: either,
      expiryEmpties: either,
      expiresVoided: either,
      entriesFor: fc.record({ issue: either, void: either, expiry: either }),
      pageAfterLast: fc.constantFrom('empty' as const, 'first' as const, 'last' as const),
      countsDeleted: either,
      channelUpdateAfter: fc.constantFrom(0, 2_000, 30_000),
    }),
  })
  .map(({ shape, issuedAt: { path, format }, switches }) => ({
    ...contractShapes,
    ...switches,
    tick: 0,
    history: shape.history,
    formatTime: format,
    paths: { ...contractShapes.paths, issuedAt: path, history: shape.paths },
  }));
