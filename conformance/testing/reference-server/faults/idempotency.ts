import { cardView } from '../cards.ts';
import { ServerRefusal } from '../wire.ts';
import { api, body, type FaultTable, namedCard, on, otherAccount, refused, refusesIf, turn } from './fault.ts';
import type { Hooks, ServerCall } from './hooks.ts';

const used = ({ account, body: { uniqueId } }: ServerCall) =>
  uniqueId === undefined ? undefined : account.uniqueIds.get(String(uniqueId));
const idOf = ({ body: { uniqueAdjustmentId } }: ServerCall) => String(uniqueAdjustmentId);
const isRepeat = (call: ServerCall) => call.account.adjustmentIds.has(idOf(call));

function forget({ account, body: given }: ServerCall): void {
  account.uniqueIds.delete(String(given.uniqueId));
  account.adjustmentIds.delete(String(given.uniqueAdjustmentId));
}

/** Forgets the unique value of a request before the request. */
const forgets = (operations: string | readonly string[], when: (call: ServerCall) => boolean = () => true) =>
  on(operations, (call, next) => {
    if (when(call)) forget(call);
    return next(call);
  });

/** Checks the unique values of parallel requests before it records one of them. */
const checksTooEarly = (operation: string, isUsed: (call: ServerCall) => boolean) =>
  on(operation, async (call, next) => {
    const wasUsed = isUsed(call);
    await turn();
    if (!wasUsed) forget(call);
    return next(call);
  });

/** Checks a uniqueAdjustmentId together with something else of its request. */
const checksWith = (rest: (call: ServerCall) => unknown) => (): Hooks => {
  const seen = new Set<string>();
  const isNew = (call: ServerCall) => seen.size < seen.add(`${idOf(call)} ${rest(call)}`).size;
  return forgets(api.adjusts, isNew)();
};

const repeatedCreate = (
  instead: (first: NonNullable<ReturnType<typeof used>>['card'], call: ServerCall, refusal: ServerRefusal) => unknown,
) =>
  refused(api.create, (refusal, call) => {
    const first = used(call)?.card;
    return first && instead(first, call, refusal);
  });
const repeatedAdjustment = (instead: (call: ServerCall) => unknown) =>
  refused(api.adjusts, (_, call) => (isRepeat(call) ? instead(call) : undefined));

const says =
  (message: unknown, code = 400) =>
  () => {
    throw new ServerRefusal(code, message);
  };

export const idempotencyFaults: FaultTable = {
  'idempotency.create.refuses-repeat': {
    'accepts a used uniqueId': forgets(api.create),
    'accepts the uniqueId of a card that was adjusted': forgets(api.create, (call) => {
      const first = used(call)?.card;
      return first !== undefined && first.balance !== first.fields.balance;
    }),
    'accepts a used uniqueId with another code': forgets(api.create, (call) => used(call)?.card.code !== call.body.code),
    'responds to a repeated create with the first card': repeatedCreate((first, { account }) => cardView(account, first)),
    'returns 409 to a repeated create': repeatedCreate(says('a card was created for it before', 409)),
    'refuses a repeated create without a message': repeatedCreate(says('')),
    'refuses a repeated create with "Bad request."': repeatedCreate(says('Bad request.')),
    'refuses a repeated create like a used code': repeatedCreate(says('that code is in use')),
    'checks a uniqueId per key': on(api.create, (call, next) => {
      const uniqueId = call.body.uniqueId && `${call.body.uniqueId} ${call.key}`;
      return next({ ...call, body: { ...call.body, uniqueId } });
    }),
  },
  'idempotency.create.unique-id-optional': {
    'requires a uniqueId': refusesIf(api.create, (call) => call.body.uniqueId === undefined),
    'reads a missing uniqueId as one value': body(api.create, (given) => ({ uniqueId: '', ...given })),
  },
  'idempotency.create.checked-per-account': {
    'checks a uniqueId over all accounts': refusesIf(api.create, (call) =>
      otherAccount(call.account).uniqueIds.has(String(call.body.uniqueId)),
    ),
  },
  'idempotency.create.original-unchanged': {
    'changes the card of a repeated create': repeatedCreate((first, call) => {
      first.fields = { ...first.fields, customField1: call.body.customField1 };
    }),
  },
  'idempotency.create.parallel-makes-one': {
    'creates a card for each of parallel repeats': checksTooEarly(api.create, (call) => used(call) !== undefined),
  },
  'idempotency.adjustment.refuses-repeat': {
    'accepts a used uniqueAdjustmentId': forgets(api.adjusts),
    'accepts a used uniqueAdjustmentId for a redemption': forgets(
      api.adjusts,
      ({ body: given }) => Number(given.adjustmentAmount) < 0,
    ),
    'remembers only the last uniqueAdjustmentId': on(api.adjusts, (call, next) => {
      const { adjustmentIds } = call.account;
      for (const id of [...adjustmentIds.keys()].slice(0, -1)) adjustmentIds.delete(id);
      return next(call);
    }),
    'returns true to a repeated adjustment': repeatedAdjustment(() => true),
    'refuses a repeated adjustment with "Bad request."': repeatedAdjustment(says('Bad request.')),
    'refuses a repeated adjustment like a missing time': repeatedAdjustment(says('something is missing')),
  },
  'idempotency.adjustment.repeat-with-other-content-refused': {
    'checks a uniqueAdjustmentId with the time': checksWith(({ body: { actionedAtUtc } }) => actionedAtUtc),
    'checks a uniqueAdjustmentId with the amount': checksWith(({ body: { adjustmentAmount } }) => adjustmentAmount),
  },
  'idempotency.adjustment.repeat-on-other-card-refused': {
    'checks a uniqueAdjustmentId per card': checksWith((call) => namedCard(call).code),
  },
  'idempotency.adjustment.repeat-by-other-endpoint-refused': {
    'checks a uniqueAdjustmentId per endpoint': checksWith(({ operation }) => operation),
  },
  'idempotency.adjustment.checked-per-account': {
    'checks a uniqueAdjustmentId over all accounts': refusesIf(api.adjusts, (call) =>
      otherAccount(call.account).adjustmentIds.has(idOf(call)),
    ),
  },
  'idempotency.adjustment.parallel-counts-once': {
    'books each of parallel repeats by code': checksTooEarly(api.adjustByCode, isRepeat),
    'books each of parallel repeats by ID': checksTooEarly(api.adjustById, isRepeat),
  },
};
