import type { Exercise } from '../faults/drills.ts';
import type { Delivery } from './delivery.ts';
import type { Posted } from './post.ts';
import type { DeliveryReference, Find, Refer } from './references.ts';

/** A delivery that its webhook's next one overtakes, and what the receiver answered to that. */
export interface HeldBack {
  readonly delivery: Delivery;
  readonly exercise: Exercise;
  answer: Posted | undefined;
}

/** The pairs of an account as a value. */
export interface PairsState {
  /** What a drill keeps back until the webhook's next one has overtaken it. */
  readonly heldBack: readonly { readonly delivery: DeliveryReference; readonly exercise: Exercise }[];
  /** Of a drill's pairs, each that still waits in a line: the one that is overtaken in it, and the receiver's answer to the other. */
  readonly overtaking: readonly {
    readonly delivery: DeliveryReference;
    readonly overtaken: DeliveryReference;
    readonly exercise: Exercise;
    readonly answer: Posted | null;
  }[];
}

/** What a drill puts out of order: deliveries that are kept back, each until its webhook's next one makes a pair with it, and goes ahead. */
export class Pairs {
  /** By webhook. */
  readonly #heldBack = new Map<string, HeldBack>();
  /** By the one that overtakes, and by the one that is overtaken. */
  readonly #overtaking = new Map<Delivery, HeldBack>();

  /** Keeps the delivery back for the webhook's next one. */
  hold(delivery: Delivery, exercise: Exercise): void {
    this.#heldBack.set(delivery.webhookId, { delivery, exercise, answer: undefined });
  }

  /** The pair that a delivery makes with the one that was kept back for it, in the order in which both go; undefined where there is none. */
  complete(delivery: Delivery): readonly Delivery[] | undefined {
    const held = this.#heldBack.get(delivery.webhookId);
    if (!held) return undefined;
    this.#heldBack.delete(delivery.webhookId);
    const pair = [delivery, held.delivery];
    for (const one of pair) this.#overtaking.set(one, held);
    return pair;
  }

  /** Those that are kept back for nothing by now; they are in no pair from here on. */
  *letGo(isInVain: (held: HeldBack) => boolean): Iterable<HeldBack> {
    for (const [webhookId, held] of this.#heldBack) {
      if (!isInVain(held)) continue;
      this.#heldBack.delete(webhookId);
      yield held;
    }
  }

  /** Whether the delivery is one of a pair. */
  has(delivery: Delivery): boolean {
    return this.#overtaking.has(delivery);
  }

  /** What the delivery's pair is about, for the one time that it sets out, or does not. */
  take(delivery: Delivery): HeldBack | undefined {
    const held = this.#overtaking.get(delivery);
    this.#overtaking.delete(delivery);
    return held;
  }

  /** Those that wait while what overtakes them is under way; put back, they are deliveries like others. */
  halfway(): Set<Delivery> {
    const ahead = new Set<HeldBack>();
    for (const [delivery, held] of this.#overtaking) if (delivery !== held.delivery) ahead.add(held);
    const overtaken = Array.from(this.#overtaking.values()).filter((held) => held.answer === undefined && !ahead.has(held));
    return new Set(overtaken.map(({ delivery }) => delivery));
  }

  state(refer: Refer): PairsState {
    const halfway = this.halfway();
    return {
      heldBack: Array.from(this.#heldBack.values(), ({ delivery, exercise }) => ({ delivery: refer(delivery), exercise })),
      overtaking: Array.from(this.#overtaking)
        .filter(([delivery]) => !halfway.has(delivery))
        .map(([delivery, { delivery: overtaken, exercise, answer = null }]) => ({
          delivery: refer(delivery),
          overtaken: refer(overtaken),
          exercise,
          answer,
        })),
    };
  }

  /** Puts back what `state` gave, where there are no pairs yet. */
  restore({ heldBack, overtaking }: PairsState, find: Find): void {
    const pairs = new Map<Delivery, HeldBack>();
    for (const { delivery, overtaken, exercise, answer } of overtaking) {
      const late = find(overtaken);
      const held = pairs.get(late) ?? { delivery: late, exercise, answer: answer ?? undefined };
      pairs.set(late, held);
      this.#overtaking.set(find(delivery), held);
    }
    for (const { delivery, exercise } of heldBack) this.hold(find(delivery), exercise);
  }
}
