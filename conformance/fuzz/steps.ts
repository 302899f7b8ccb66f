import fc, { type Arbitrary } from 'fast-check';
import type { Trial } from '../core/trial.ts';
import { issueTime } from '../http/json-search.ts';
import { adjustByCode, adjustById, sendHistory, sendHistoryById } from '../scenarios/adjustments.ts';
import { balanceOf, createCard, getById, type TestCard, tryCreate, voidByCode, voidById } from '../scenarios/cards.ts';
import { sendList } from '../scenarios/lists.ts';

type SequenceCard = TestCard & { isVoided: boolean };

/** The account, and the cards and unique values from which steps choose. Balances and statuses are not here: the oracle keeps them. */
export interface FuzzSequence {
  readonly t: Trial;
  readonly decimals: number;
  /** True if the body field that names a card by its ID is known. */
  readonly canAdjustById: boolean;
  readonly cards: SequenceCard[];
  readonly uniqueAdjustmentIds: string[];
  /** Waits until a change is surely later than all changes before. Does nothing if the run has waited often enough. */
  pause(): Promise<void>;
}

/** One step as data, which fast-check can shrink and repeat. Each action uses the fields that it needs. */
export interface FuzzStep {
  readonly action: keyof typeof actions;
  /** Index of the card, modulo the number of cards. */
  readonly card: number;
  readonly by: 'code' | 'ID';
  /** Amount in the smallest unit of the currency. */
  readonly amount: number;
  /** Chooses among the variants of the action. */
  readonly variant: number;
}

const amountOf = (units: number, { decimals }: FuzzSequence) => Number((units / 10 ** decimals).toFixed(decimals));

async function adjust(
  sequence: FuzzSequence,
  on: TestCard,
  by: FuzzStep['by'],
  units: number,
  repeatedId?: string,
): Promise<void> {
  const { t, canAdjustById, uniqueAdjustmentIds } = sequence;
  const uniqueAdjustmentId = repeatedId ?? t.run.ledger.unique('GCS-A');
  const send = by === 'ID' && canAdjustById ? adjustById : adjustByCode;
  const { status } = await send(t, on, amountOf(units, sequence), { uniqueAdjustmentId });
  if (status === 200 && repeatedId === undefined) uniqueAdjustmentIds.push(uniqueAdjustmentId);
}

type Action = (sequence: FuzzSequence, on: SequenceCard, step: FuzzStep) => Promise<unknown>;

const repeatCreate: Action = ({ t }, { code, fields }, { variant }) =>
  tryCreate(t, variant % 2 === 0 ? { code } : { uniqueId: fields?.uniqueId });

/** Redeems the whole balance, or one unit more or less. */
const redeemBalance: Action = async (sequence, on, { by, variant }) => {
  const balance = Math.round((await balanceOf(sequence.t, on.code)) * 10 ** sequence.decimals);
  const units = -balance - ((variant % 3) - 1);
  // The specification does not state the effect of an adjustment by 0.
  if (units !== 0) await adjust(sequence, on, by, units);
};

const repeatAdjustment: Action = async (sequence, on, { by, amount, variant }) => {
  const used = sequence.uniqueAdjustmentIds;
  if (used.length > 0) await adjust(sequence, on, by, amount, used[variant % used.length]);
};

const voidCard: Action = async ({ t }, on, { by }) => {
  await (by === 'ID' ? voidById(t, on.id) : voidByCode(t, on.code));
  on.isVoided = true;
};

/** Lists all cards, the cards that were issued after the chosen card, or the first two pages. Or changes the card before and after a pause, and reads the order of cards and adjustments. */
const listCards: Action = async (sequence, on, { by, amount, variant }) => {
  const { t } = sequence;
  const since = issueTime(on.response.json);
  if (variant < 4) await sendList(t, { pageSize: 50 });
  else if (variant < 6 && since !== undefined) await sendList(t, { pageSize: 50, since });
  else if (variant < 7 || on.isVoided)
    for (const pageNumber of [0, 1]) await sendList(t, { pageSize: 1 + (amount % 3), pageNumber });
  else {
    await adjust(sequence, on, by, amount);
    await sequence.pause();
    await adjust(sequence, on, by, amount + 1);
    await sendList(t, { pageSize: 50 });
    await sendHistory(t, on.code);
  }
};

/** Actions. Each action has a relative frequency, the cards to choose from, and a function that sends its requests. */
const actions = {
  create: [8, 'new', async () => undefined],
  'repeat create': [2, 'usable', repeatCreate],
  'top up': [3, 'usable', (sequence, on, { by, amount }) => adjust(sequence, on, by, amount)],
  redeem: [4, 'usable', (sequence, on, { by, amount }) => adjust(sequence, on, by, -amount)],
  'redeem balance': [4, 'usable', redeemBalance],
  'repeat adjustment': [2, 'usable', repeatAdjustment],
  void: [2, 'any', voidCard],
  get: [1, 'any', async ({ t }, { id }, { by }) => by === 'ID' && getById(t, id)],
  history: [2, 'any', ({ t }, { id, code }, { by }) => (by === 'ID' ? sendHistoryById(t, id) : sendHistory(t, code))],
  list: [4, 'any', listCards],
} as const satisfies Record<string, readonly [weight: number, cards: 'new' | 'any' | 'usable', action: Action]>;

/** Sends the requests of a step and returns its card. A step without a suitable card sends nothing. */
export async function takeStep(sequence: FuzzSequence, step: FuzzStep): Promise<TestCard | undefined> {
  const [, from, act] = actions[step.action];
  if (from === 'new') {
    const created = { ...(await createCard(sequence.t, { balance: amountOf(step.amount, sequence) })), isVoided: false };
    sequence.cards.push(created);
    return created;
  }
  // The specification does not state the effect of most requests on voided cards.
  const cards = sequence.cards.filter(({ isVoided }) => from === 'any' || !isVoided);
  const on = cards[step.card % Math.max(1, cards.length)];
  if (on) await act(sequence, on, step);
  return on;
}

const anyStep: Arbitrary<FuzzStep> = fc.record({
  action: fc.oneof(
    ...(Object.keys(actions) as FuzzStep['action'][]).map((name) => ({ weight: actions[name][0], arbitrary: fc.constant(name) })),
  ),
  card: fc.nat(3),
  by: fc.constantFrom<FuzzStep['by']>('code', 'ID'),
  amount: fc.integer({ min: 1, max: 100 }),
  variant: fc.nat(7),
});

/** Generates sequences of at most `longest` steps. All lengths are equally likely. */
export const anySequence = (longest: number): Arbitrary<FuzzStep[]> =>
  fc.array(anyStep, { minLength: 1, maxLength: longest, size: 'max' });
