import { counted } from '../core/counted.ts';
import { NotSent } from '../core/verdict.ts';
import type { Ask } from '../http/exchange.ts';
import { askedBy, type Effects, effectsOf, none } from './effects.ts';
import { type Policy, refusalOf, unguarded } from './policy.ts';

const counts = ['creates', 'faceValue', 'voids', 'adjustments', 'emails', 'webhooks', 'events', 'coupons'] as const;

/** What a run has sent, and what that did on a target that took it. */
export interface Spent extends Omit<Effects, 'changes' | 'burst'> {
  requests: number;
}

function nothingSpent(): Spent {
  const { changes: _, burst: __, ...nothing } = none;
  return { requests: 0, ...nothing };
}

/** Requests that cleaning up takes at most in the usual case: a void and a look; a list, a deletion and a list. */
const cleaningUp = { card: 2, webhook: 3, coupon: 3 };

const keptFor = ({ creates, webhooks, coupons }: Effects): number =>
  creates * cleaningUp.card + webhooks * cleaningUp.webhook + coupons * cleaningUp.coupon;

/** Stands in front of the client and lets through what the policy allows. */
export class Gate {
  policy: Policy;
  readonly spent: Spent = nothingSpent();
  /** Webhooks on the account, to each of which the service posts what a run does with cards; unknown where the list says nothing. */
  webhooksPresent: number | 'unknown' = 0;
  /** How often a request was held back because the budget was used up. */
  heldBack = 0;
  /** The most that stood asked for at once: refusals give back what they were held for. */
  readonly peak = { creates: 0, faceValue: 0 };
  /** Is told of every request that was answered. */
  watch: ((ask: Ask, effects: Effects, taken: boolean) => void) | undefined;
  /** What was refused counts until a look has shown that it is not there. */
  readonly #doubted = new Map<object, Effects>();
  /** Requests that are kept for cleaning up. */
  #reserved = 0;

  constructor(policy: Policy = unguarded) {
    this.policy = policy;
  }

  /**
   * Counts a request that is about to leave. Throws NotSent where the policy does not allow it. What comes back is to be told
   * whether the target took the request; of one that it refused nothing remains but the request.
   */
  admit(ask: Ask): (answer: { status: number }) => void {
    const effects = effectsOf(ask);
    if (!ask.cleaning) this.#check(effects);
    const kept = keptFor(effects);
    this.spent.requests += 1;
    this.#reserved += ask.cleaning ? -Math.min(1, this.#reserved) : kept;
    for (const each of counts) this.spent[each] += effects[each];
    for (const each of ['creates', 'faceValue'] as const)
      this.peak[each] = Math.max(this.peak[each], this.spent[each] - this.#inDoubt(each));
    return ({ status }) => {
      const refused = status >= 300 && status < 500;
      this.watch?.(ask, effects, !refused);
      if (!refused) return;
      // One look is kept for a card that was refused, and may be there.
      const card = effects.creates > 0 ? ask.entry : undefined;
      this.#reserved -= ask.cleaning ? 0 : card ? kept - 1 : kept;
      if (card) this.#doubted.set(card, effects);
      else this.#giveBack(effects);
    };
  }

  /** From now on nothing is created, because it could not be taken away again. */
  createNothing(): void {
    this.policy = { ...this.policy, maxCreates: 0, maxFaceValue: 0 };
  }

  /** A look has shown that what was refused is not there; `cleaning` where it was one of those that are kept for it. */
  nothingCame(entry: object, cleaning: boolean): void {
    const effects = this.#doubted.get(entry);
    if (!effects) return;
    this.#doubted.delete(entry);
    if (!cleaning) this.#reserved -= 1;
    this.#giveBack(effects);
  }

  /** Whether it would be held back, and might not be if what was refused were looked for. */
  isShortOf(ask: Ask): boolean {
    const { creates, faceValue } = effectsOf(ask);
    return this.#doubted.size > 0 && creates > 0 && !this.#leaves(creates, faceValue);
  }

  #leaves(creates: number, faceValue: number): boolean {
    const { maxCreates, maxFaceValue } = this.policy;
    return this.spent.creates + creates <= maxCreates && this.spent.faceValue + faceValue <= maxFaceValue + 1e-9;
  }

  #inDoubt(each: 'creates' | 'faceValue'): number {
    return [...this.#doubted.values()].reduce((sum, effects) => sum + effects[each], 0);
  }

  #giveBack(effects: Effects): void {
    for (const each of counts) this.spent[each] -= effects[each];
  }

  /** What moves the target's world without being a request of the service, such as its clock, costs nothing and still changes it. */
  admitOutside(): void {
    if (this.policy.mode === 'read-only') throw new NotSent('mode', 'a read-only run changes nothing, a clock included');
  }

  #check(effects: Effects): void {
    const why = refusalOf(askedBy(effects), this.policy, this.webhooksPresent);
    if (why) throw new NotSent(why.reason, why.detail);
    const { maxCreates, maxRequests, maxFaceValue } = this.policy;
    const within =
      this.#leaves(effects.creates, effects.faceValue) &&
      this.spent.requests + 1 + this.#reserved + keptFor(effects) <= maxRequests;
    if (within) return;
    this.heldBack += 1;
    throw new NotSent(
      'budget',
      `the run may ${[
        ...(Number.isFinite(maxCreates) ? [`create ${counted(maxCreates, 'card')}`] : []),
        ...(Number.isFinite(maxFaceValue) ? [`make cards of ${maxFaceValue} in all`] : []),
        ...(Number.isFinite(maxRequests) ? [`send ${counted(maxRequests, 'request')}`] : []),
      ].join(' and ')}`,
    );
  }
}
