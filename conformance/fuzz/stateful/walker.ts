import type { ClauseName } from '../../../openapi/generated/clauses.ts';
import type { Trial } from '../../core/trial.ts';
import { Violation } from '../../core/verdict.ts';
import { Model, type ModelAdjustment } from './model.ts';

/** Something that the specification states did not hold, and which clause says so, where one does. */
export class Contradiction extends Violation {
  readonly clause: ClauseName | undefined;

  constructor(clause: ClauseName | undefined, expected: string, got: string) {
    super(expected, got);
    this.name = 'Contradiction';
    this.clause = clause;
  }
}

/** Who walks: what was done so far in words, and what is known of the cards by that. */
export class Walker {
  readonly t: Trial;
  readonly model = new Model();
  readonly told: string[] = [];
  /** Decimals of the account's currency. */
  readonly decimals: number;
  /** Whether the target has a body field that names a card by its ID and is known. */
  readonly canById: boolean;
  readonly #began = Date.now();
  #adjustments = 0;

  constructor(t: Trial, { decimals, canById }: { decimals: number; canById: boolean }) {
    this.t = t;
    this.decimals = decimals;
    this.canById = canById;
  }

  tell(words: string): void {
    this.told.push(words);
  }

  /** The number that stands in JSON for that many of the smallest unit. */
  amount(units: number): number {
    return Number((units / 10 ** this.decimals).toFixed(this.decimals));
  }

  money(units: number): string {
    return (units / 10 ** this.decimals).toFixed(this.decimals);
  }

  /** A next adjustment, that happened after all others of this story and well before now, because by which of its times a history is ordered is open. */
  adjustment(amount: number): ModelAdjustment & { readonly actionedAtUtc: string } {
    this.#adjustments += 1;
    const { ledger } = this.t.run;
    return {
      amount,
      uniqueAdjustmentId: ledger.unique('GCS-A'),
      notes: ledger.fresh('GCS-N'),
      actionedAtUtc: new Date(this.#began - 600_000 + this.#adjustments * 1_000).toISOString(),
    };
  }
}

/** Runs checks that throw a Violation, in the name of a clause. */
export function states<T>(clause: ClauseName | undefined, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Violation) || error instanceof Contradiction) throw error;
    throw new Contradiction(clause, error.expected, error.got);
  }
}
