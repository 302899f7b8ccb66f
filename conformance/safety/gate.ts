import { countedEffects, countNothing, type Effects, effectKindsOf, effectsOfRequest, type TargetRequest } from './effects.ts';
import { isPending, type LedgerEntry } from './entries.ts';
import { fitsBudget, isUnlimited, type Needs, NotSent, overBudget, type Policy, policyRefusal, unguarded } from './policy.ts';

/** The number of requests that a run has sent, and the effects of the accepted requests. */
export interface Spent extends Omit<Effects, 'changes' | 'burst'> {
  requests: number;
}

/** Returns the number of cleanup requests: a void and a look-up for each card; a list, a deletion and a list for each webhook. */
const requestsToRemove = ({ creates, webhooks }: Effects): number => 2 * creates + 3 * webhooks;

export class Gate {
  policy: Policy;
  /** Number of requests that the gate refused because the budget was used up. */
  heldBack = 0;
  /** The gate calls this function for every request with a response. */
  onResponse: ((request: TargetRequest, effects: Effects, taken: boolean) => void) | undefined;
  readonly #spent: Spent = { requests: 0, ...countNothing() };
  /** The effects of requests that may have created something, by their entries in the ledger. */
  readonly #creations = new Map<LedgerEntry, Effects>();
  /** Entries whose last request was refused. After 429, the client sends the request again, and the gate must not count the request twice. */
  readonly #refused = new Set<LedgerEntry>();

  constructor(policy: Policy = unguarded) {
    this.policy = policy;
  }

  /** Number of requests that were sent. */
  get sent(): number {
    return this.#spent.requests;
  }

  /** A refused creation counts until a look-up shows that nothing was created. */
  get spent(): Readonly<Spent> {
    for (const [entry, effects] of this.#creations) {
      if (isPending(entry)) continue;
      this.#creations.delete(entry);
      if (entry.state === 'refused') this.#count(effects, -1);
    }
    return this.#spent;
  }

  /** Counts a request that is about to be sent. Throws NotSent if the policy forbids the request. The caller passes the response to the returned function. */
  admit(request: TargetRequest): (response: { status: number }) => void {
    const effects = effectsOfRequest(request);
    const creation = requestsToRemove(effects) > 0 ? request.entry : undefined;
    // A retry adds nothing: the refused attempt still counts, and only one record can be created.
    const isRetry = creation !== undefined && this.#refused.delete(creation) && isPending(creation);
    const added = isRetry ? { ...effects, ...countNothing() } : effects;
    if (!request.cleaning) this.#check(effects, added);
    this.#spent.requests += 1;
    this.#count(added, 1);
    if (creation) this.#creations.set(creation, effects);
    return ({ status }) => {
      const isRefused = status >= 300 && status < 500;
      this.onResponse?.(request, effects, !isRefused);
      if (!isRefused) return;
      if (creation) this.#refused.add(creation);
      else this.#count(effects, -1);
    };
  }

  /** Limits the cards of a run that cannot clean up. The limit includes the cards that the run has created already. */
  limitCards(): void {
    const { maxCreates, leaveCards = 0 } = this.policy;
    const most = Math.max(leaveCards, this.spent.creates);
    this.policy = { ...this.policy, cannotRemove: true, maxCreates: Math.min(maxCreates, most) };
  }

  /** Reports whether the budget has no room for the card that a request creates. */
  isShortOf(request: TargetRequest): boolean {
    const effects = effectsOfRequest(request);
    return effects.creates > 0 && !this.#fits(effects);
  }

  /** Throws NotSent if the policy forbids an out-of-band request, such as advancing a clock. */
  admitOutside(): void {
    if (this.policy.mode === 'read-only') throw new NotSent('mode', 'a read-only run does not advance clocks');
  }

  #check(effects: Effects, added: Effects): void {
    const refusal = policyRefusal(effectKindsOf(effects), this.policy);
    if (!refusal && this.#fits(added)) return;
    if (!refusal) this.heldBack += 1;
    const { reason, detail } = refusal ?? overBudget(this.policy, this.#needsWith(added));
    throw new NotSent(reason, detail);
  }

  /** Without limits, nothing is added up: a run may create thousands of cards, and the sum over them for each request would take much of its time. */
  #fits(effects: Effects): boolean {
    return isUnlimited(this.policy) || fitsBudget(this.policy, this.#needsWith(effects));
  }

  /** Returns what the run needs of each limit with another request, and with everything that the run must then clean up. */
  #needsWith(effects: Effects): Needs {
    const { creates, faceValue, requests } = this.spent;
    const reserved = [...this.#creations].map(([{ state, voided }, each]) =>
      state === 'uncertain' || voided ? 1 : requestsToRemove(each),
    );
    const toRemove = reserved.reduce((sum, each) => sum + each, requestsToRemove(effects));
    return {
      creates: creates + effects.creates,
      faceValue: faceValue + effects.faceValue,
      requests: requests + 1 + toRemove,
    };
  }

  #count(effects: Effects, sign: 1 | -1): void {
    for (const each of countedEffects) this.#spent[each] += sign * effects[each];
  }
}
