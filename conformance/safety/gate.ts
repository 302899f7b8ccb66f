import { NotSent } from '../core/verdict.ts';
import type { Ask } from '../http/exchange.ts';
import { type Effects, effectKindsOf, effectsOf, noEffects } from './effects.ts';
import { overBudget, type Policy, refusalOf, unguarded } from './policy.ts';

const counts = ['creates', 'faceValue', 'voids', 'adjustments', 'emails', 'webhooks', 'events'] as const;

/** What a run has sent, and the effects of the requests that the target accepted. */
export interface Spent extends Omit<Effects, 'changes' | 'burst'> {
  requests: number;
}

function nothingSpent(): Spent {
  const { changes: _, burst: __, ...nothing } = noEffects;
  return { requests: 0, ...nothing };
}

/** Requests needed to clean up: a void and a look-up; a list, a deletion and a list. */
const cleaningUp = { card: 2, webhook: 3 };

const keptFor = ({ creates, webhooks }: Effects): number => creates * cleaningUp.card + webhooks * cleaningUp.webhook;

/** Allows a request only within the policy and the budget of the run. */
export class Gate {
  policy: Policy;
  readonly spent: Spent = nothingSpent();
  /** Webhooks on the account, which receive deliveries about the run's cards. */
  webhooksPresent: number | 'unknown' = 0;
  /** Requests refused because the budget was used up. */
  heldBack = 0;
  /** The largest numbers counted at one time. They include refused creates, whose budget is returned later. */
  readonly peak = { creates: 0, faceValue: 0 };
  /** Called for every answered request. */
  onAnswer: ((ask: Ask, effects: Effects, taken: boolean) => void) | undefined;
  /** A refused create counts until a look-up shows that the card does not exist. */
  readonly #doubted = new Map<object, Effects>();
  /** Requests kept back for cleaning up. */
  #reserved = 0;

  constructor(policy: Policy = unguarded) {
    this.policy = policy;
  }

  /**
   * Counts a request that is about to be sent. Throws NotSent if the policy does not allow it. Call the returned function with the answer: of a refused
   * request only the request itself stays counted.
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
      this.onAnswer?.(ask, effects, !refused);
      if (!refused) return;
      // One look-up stays reserved for a refused card.
      const card = effects.creates > 0 ? ask.entry : undefined;
      this.#reserved -= ask.cleaning ? 0 : card ? kept - 1 : kept;
      if (card) this.#doubted.set(card, effects);
      else this.#giveBack(effects);
    };
  }

  /** From now on nothing is created, because it could not be cleaned up. */
  createNothing(): void {
    this.policy = { ...this.policy, maxCreates: 0, maxFaceValue: 0 };
  }

  /** A look-up showed that a refused card does not exist. `cleaning`: it was the reserved look-up. */
  provenAbsent(entry: object, cleaning: boolean): void {
    const effects = this.#doubted.get(entry);
    if (!effects) return;
    this.#doubted.delete(entry);
    if (!cleaning) this.#reserved -= 1;
    this.#giveBack(effects);
  }

  /** Whether the budget has no room for it now, but might after looking up refused cards. */
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

  /** Checks a request outside the service, such as moving its clock: free, but a change. */
  admitOutside(): void {
    if (this.policy.mode === 'read-only') throw new NotSent('mode', 'a read-only run does not advance clocks');
  }

  #check(effects: Effects): void {
    const why = refusalOf(effectKindsOf(effects), this.policy, this.webhooksPresent);
    if (why) throw new NotSent(why.reason, why.detail);
    const requests = this.spent.requests + 1 + this.#reserved + keptFor(effects);
    if (this.#leaves(effects.creates, effects.faceValue) && requests <= this.policy.maxRequests) return;
    this.heldBack += 1;
    throw new NotSent(overBudget.reason, overBudget.detail);
  }
}
