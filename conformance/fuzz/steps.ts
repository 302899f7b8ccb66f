import fc, { type Arbitrary } from 'fast-check';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { expectStatus } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Violation } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { issueTime } from '../http/json-search.ts';
import { byCode, byId, history, historyById } from '../scenarios/adjustments.ts';
import { balanceOf, type Card, card, create, getByCode, getById, voidByCode, voidById } from '../scenarios/cards.ts';
import { list } from '../scenarios/lists.ts';

/** What steps need to know about the account. */
export interface AccountTraits {
  /** Decimals of its currency. */
  readonly decimals: number;
  /** Whether the body field that names a card by its ID is known. */
  readonly canAdjustById: boolean;
}

/** A sequence contradicts the specification. */
export class SequenceFailure extends Error {
  /** Undefined if no single clause says it. */
  readonly clause: ClauseName | undefined;

  /** Undefined: what the clause says. */
  readonly expected: string | undefined;

  constructor(clause: ClauseName | undefined, message: string, expected?: string) {
    super(message);
    this.clause = clause;
    this.expected = expected;
  }
}

export type KnownCard = Card & { isVoided: boolean };

/** The cards and unique values that steps choose from. What the cards should hold is the oracle's business. */
export class Sequence {
  readonly t: Trial;
  readonly account: AccountTraits;
  readonly cards: KnownCard[] = [];
  readonly uniqueAdjustmentIds: string[] = [];
  readonly #began = Date.now();
  #adjustments = 0;

  constructor(t: Trial, account: AccountTraits) {
    this.t = t;
    this.account = account;
  }

  anyCard(index: number): KnownCard | undefined {
    return this.cards[index % Math.max(1, this.cards.length)];
  }

  /** A card that no step voided, because the specification leaves open what may be done with voided cards. */
  usableCard(index: number): KnownCard | undefined {
    const usable = this.cards.filter(({ isVoided }) => !isVoided);
    return usable[index % Math.max(1, usable.length)];
  }

  amount(units: number): number {
    return Number((units / 10 ** this.account.decimals).toFixed(this.account.decimals));
  }

  units(amount: number): number {
    return Math.round(amount * 10 ** this.account.decimals);
  }

  /** Each adjustment happened later than those before it: the specification leaves open which time orders the history. */
  async adjust(on: KnownCard, by: Step['by'], units: number, repeated?: string): Promise<void> {
    const { ledger } = this.t.run;
    this.#adjustments += 1;
    const uniqueAdjustmentId = repeated ?? ledger.unique('GCS-A');
    const actionedAtUtc = new Date(this.#began - 600_000 + this.#adjustments * 1_000).toISOString();
    const send = by === 'ID' && this.account.canAdjustById ? byId : byCode;
    const fields = { uniqueAdjustmentId, notes: ledger.fresh('GCS-N'), actionedAtUtc };
    const { status } = await send(this.t, on, this.amount(units), fields);
    if (status === 200 && repeated === undefined) this.uniqueAdjustmentIds.push(uniqueAdjustmentId);
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

/** One page of a history holds at least this many entries on every known target. */
export const maxSteps = 40;

/** Does the step; returns the card to look up afterwards. A step without a suitable card does nothing. */
type Action = (sequence: Sequence, step: Step) => Promise<KnownCard | undefined>;

const createCard: Action = async (sequence, { amount }) => {
  const created: KnownCard = { ...(await card(sequence.t, { balance: sequence.amount(amount) })), isVoided: false };
  sequence.cards.push(created);
  return created;
};

const repeatCreate: Action = async (sequence, { card: index, variant }) => {
  const on = sequence.usableCard(index);
  if (on) await create(sequence.t, variant % 2 === 0 ? { code: on.code } : { uniqueId: on.asked?.uniqueId });
  return on;
};

const adjust =
  (sign: 1 | -1): Action =>
  async (sequence, { card: index, by, amount }) => {
    const on = sequence.usableCard(index);
    if (on) await sequence.adjust(on, by, sign * amount);
    return on;
  };

/** The whole balance, one unit more, or one unit less. */
const redeemBalance: Action = async (sequence, { card: index, by, variant }) => {
  const on = sequence.usableCard(index);
  const units = on && -sequence.units(await balanceOf(sequence.t, on.code)) - ((variant % 3) - 1);
  // The specification does not say what an adjustment by 0 does.
  if (on && units) await sequence.adjust(on, by, units);
  return on;
};

const repeatAdjustment: Action = async (sequence, { card: index, by, amount, variant }) => {
  const on = sequence.usableCard(index);
  const used = sequence.uniqueAdjustmentIds;
  if (on && used.length > 0) await sequence.adjust(on, by, amount, used[variant % used.length]);
  return on;
};

const voidCard: Action = async (sequence, { card: index, by }) => {
  const on = sequence.anyCard(index);
  if (!on) return undefined;
  await (by === 'ID' ? voidById(sequence.t, on.id) : voidByCode(sequence.t, on.code));
  on.isVoided = true;
  return on;
};

const getCard: Action = async (sequence, { card: index, by }) => {
  const on = sequence.anyCard(index);
  if (on && by === 'ID') await getById(sequence.t, on.id);
  return on;
};

const getHistory: Action = async (sequence, { card: index, by }) => {
  const on = sequence.anyCard(index);
  if (on) await (by === 'ID' ? historyById(sequence.t, on.id) : history(sequence.t, on.code));
  return undefined;
};

const listCards: Action = async ({ t }) => {
  await list(t, { pageSize: 50 });
  return undefined;
};

const listSince: Action = async (sequence, { card: index }) => {
  const since = issueTime(sequence.anyCard(index)?.answer.json);
  if (since !== undefined) await list(sequence.t, { pageSize: 50, since });
  return undefined;
};

/** Two pages next to each other, and one page of twice the size. */
const listPages: Action = async ({ t }, { variant }) => {
  const pageSize = 1 + (variant % 3);
  for (const query of [{ pageSize }, { pageSize, pageNumber: 1 }, { pageSize: 2 * pageSize }]) await list(t, query);
  return undefined;
};

/** A request with a wrong key, or with the key of another account: 401 or 404, and the card is unchanged. */
const useOtherKey: Action = async (sequence, { card: index, by, variant }) => {
  const on = sequence.usableCard(index);
  if (!on) return undefined;
  const { profile, ledger } = sequence.t.run;
  const isForeign = variant % 2 === 0 && profile.secondKey !== undefined;
  const key = isForeign ? String(profile.secondKey) : `wrong-${ledger.fresh()}`;
  const answer = await withKey(sequence, on, by, variant >> 1, key);
  try {
    expectStatus(
      answer,
      isForeign ? 404 : 401,
      `${answer.exchange.method} with ${isForeign ? 'the key of another account' : 'a wrong key'}`,
    );
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    const clause = isForeign ? 'authentication.foreign-record-is-404' : 'authentication.wrong-key-is-401';
    throw new SequenceFailure(clause, error.got, error.expected);
  }
  return on;
};

function withKey({ t, account }: Sequence, on: KnownCard, by: Step['by'], variant: number, key: string): Promise<Answer> {
  const isById = by === 'ID';
  if (variant === 0) return isById ? getById(t, on.id, key) : getByCode(t, on.code, key);
  if (variant === 1) return isById ? voidById(t, on.id, key) : voidByCode(t, on.code, key);
  if (variant === 2) return isById ? historyById(t, on.id, key) : history(t, on.code, key);
  return (isById && account.canAdjustById ? byId : byCode)(t, on, 0.01, {}, key);
}

/** How likely each action is, relative to the others, and what it does. */
const actions = {
  create: [8, createCard],
  'repeat create': [2, repeatCreate],
  'top up': [3, adjust(1)],
  redeem: [4, adjust(-1)],
  'redeem balance': [4, redeemBalance],
  'repeat adjustment': [2, repeatAdjustment],
  void: [2, voidCard],
  get: [1, getCard],
  history: [2, getHistory],
  list: [2, listCards],
  'list since': [1, listSince],
  'list pages': [1, listPages],
  'use other key': [2, useOtherKey],
} as const satisfies Record<string, readonly [weight: number, action: Action]>;

export const take = (sequence: Sequence, step: Step): Promise<KnownCard | undefined> => actions[step.action][1](sequence, step);

const anyStep: Arbitrary<Step> = fc.record({
  action: fc.constantFrom(
    ...(Object.keys(actions) as Step['action'][]).flatMap((name) => Array<Step['action']>(actions[name][0]).fill(name)),
  ),
  card: fc.nat(3),
  by: fc.constantFrom<Step['by']>('code', 'ID'),
  amount: fc.integer({ min: 1, max: 100 }),
  variant: fc.nat(7),
});

/** Sequences of at most `longest` steps; long ones are as likely as short ones. */
export const anySequence = (longest = maxSteps): Arbitrary<Step[]> =>
  fc.array(anyStep, { minLength: 1, maxLength: longest, size: 'max' });
