import fc, { type Arbitrary } from 'fast-check';
import type { Trial } from '../core/trial.ts';
import { issueTime } from '../http/json-search.ts';
import { byCode, byId, history, historyById } from '../scenarios/adjustments.ts';
import { balanceOf, type Card, card, create, getById, voidByCode, voidById } from '../scenarios/cards.ts';
import { list } from '../scenarios/lists.ts';

/** What steps need to know about the account. */
export interface AccountTraits {
  /** Decimals of its currency. */
  readonly decimals: number;
  /** Whether the body field that names a card by its ID is known. */
  readonly canAdjustById: boolean;
}

type SequenceCard = Card & { isVoided: boolean };

/** The cards and unique values that steps choose from. The oracle knows which balances and statuses they must have. */
export class Sequence {
  readonly t: Trial;
  readonly account: AccountTraits;
  readonly cards: SequenceCard[] = [];
  readonly uniqueAdjustmentIds: string[] = [];

  constructor(t: Trial, account: AccountTraits) {
    this.t = t;
    this.account = account;
  }

  /** Undefined without a suitable card. `usable`: no step voided it, because what may be done with voided cards is open. */
  chooseCard(from: 'any' | 'usable', index: number): SequenceCard | undefined {
    const cards = this.cards.filter(({ isVoided }) => from === 'any' || !isVoided);
    return cards[index % Math.max(1, cards.length)];
  }

  amount(units: number): number {
    return Number((units / 10 ** this.account.decimals).toFixed(this.account.decimals));
  }

  async adjust(on: Card, by: Step['by'], units: number, repeatedId?: string): Promise<void> {
    const uniqueAdjustmentId = repeatedId ?? this.t.run.ledger.unique('GCS-A');
    const adjust = by === 'ID' && this.account.canAdjustById ? byId : byCode;
    const { status } = await adjust(this.t, on, this.amount(units), { uniqueAdjustmentId });
    if (status === 200 && repeatedId === undefined) this.uniqueAdjustmentIds.push(uniqueAdjustmentId);
  }
}

/** One step as data, so that it shrinks and repeats from a seed. Each action uses the fields it needs. */
export interface Step {
  readonly action: keyof typeof actions;
  /** Index of the card, modulo the number of cards of the sequence. */
  readonly card: number;
  readonly by: 'code' | 'ID';
  /** In the smallest unit of the currency. */
  readonly amount: number;
  /** Chooses among the variants of the action. */
  readonly variant: number;
}

export const maxSteps = 40;

type Action = (sequence: Sequence, on: SequenceCard, step: Step) => Promise<unknown>;

const repeatCreate: Action = ({ t }, { code, fields }, { variant }) =>
  create(t, variant % 2 === 0 ? { code } : { uniqueId: fields?.uniqueId });

/** The whole balance, one unit more, or one unit less. */
const redeemBalance: Action = async (sequence, on, { by, variant }) => {
  const balance = Math.round((await balanceOf(sequence.t, on.code)) * 10 ** sequence.account.decimals);
  const units = -balance - ((variant % 3) - 1);
  // The specification does not say what an adjustment by 0 does.
  if (units !== 0) await sequence.adjust(on, by, units);
};

const repeatAdjustment: Action = async (sequence, on, { by, amount, variant }) => {
  const used = sequence.uniqueAdjustmentIds;
  if (used.length > 0) await sequence.adjust(on, by, amount, used[variant % used.length]);
};

const voidCard: Action = async ({ t }, on, { by }) => {
  await (by === 'ID' ? voidById(t, on.id) : voidByCode(t, on.code));
  on.isVoided = true;
};

/** All cards, the cards issued after this one, or two pages next to each other. */
const listCards: Action = async ({ t }, { answer }, { variant }) => {
  const since = issueTime(answer.json);
  const pageSize = 1 + (variant % 3);
  if (variant < 4) await list(t, { pageSize: 50 });
  else if (variant < 6 && since !== undefined) await list(t, { pageSize: 50, since });
  else for (const pageNumber of [0, 1]) await list(t, { pageSize, pageNumber });
};

/** How likely each action is, relative to the others, on which cards, and what it does. */
const actions = {
  create: [8, 'new', async () => undefined],
  'repeat create': [2, 'usable', repeatCreate],
  'top up': [3, 'usable', (sequence, on, { by, amount }) => sequence.adjust(on, by, amount)],
  redeem: [4, 'usable', (sequence, on, { by, amount }) => sequence.adjust(on, by, -amount)],
  'redeem balance': [4, 'usable', redeemBalance],
  'repeat adjustment': [2, 'usable', repeatAdjustment],
  void: [2, 'any', voidCard],
  get: [1, 'any', async ({ t }, { id }, { by }) => by === 'ID' && getById(t, id)],
  history: [2, 'any', ({ t }, { id, code }, { by }) => (by === 'ID' ? historyById(t, id) : history(t, code))],
  list: [4, 'any', listCards],
} as const satisfies Record<string, readonly [weight: number, cards: 'new' | 'any' | 'usable', action: Action]>;

/** Does the step and returns its card. A step without a suitable card does nothing. */
export async function takeStep(sequence: Sequence, step: Step): Promise<Card | undefined> {
  const [, from, act] = actions[step.action];
  if (from === 'new') {
    const created = { ...(await card(sequence.t, { balance: sequence.amount(step.amount) })), isVoided: false };
    sequence.cards.push(created);
    return created;
  }
  const on = sequence.chooseCard(from, step.card);
  if (on) await act(sequence, on, step);
  return on;
}

const anyStep: Arbitrary<Step> = fc.record({
  action: fc.oneof(
    ...(Object.keys(actions) as Step['action'][]).map((name) => ({ weight: actions[name][0], arbitrary: fc.constant(name) })),
  ),
  card: fc.nat(3),
  by: fc.constantFrom<Step['by']>('code', 'ID'),
  amount: fc.integer({ min: 1, max: 100 }),
  variant: fc.nat(7),
});

/** Sequences of at most `longest` steps; long ones are as likely as short ones. */
export const anySequence = (longest = maxSteps): Arbitrary<Step[]> =>
  fc.array(anyStep, { minLength: 1, maxLength: longest, size: 'max' });
