/** A value that is no snapshot, or none that this sandbox can have: one sentence that says where and why. */
export class SnapshotError extends Error {}

/** Why a value does not fit where it stands; the steps to it are added on the way out. */
export class Misfit extends Error {
  readonly steps: (string | number)[] = [];

  static at(step: string | number, error: unknown): unknown {
    if (error instanceof Misfit) error.steps.unshift(step);
    return error;
  }
}

/** What does not fit, in a sentence: `records, cards, #18, balance: a whole number belongs here, not "x"`. */
export function told({ steps, message }: Misfit): string {
  const place = steps.map((step) => (typeof step === 'number' ? `#${step + 1}` : step)).join(', ');
  return place === '' ? message : `${place}: ${message}`;
}
