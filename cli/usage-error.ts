/** Thrown if a command cannot use its input. The message names the value and the remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** 2 for a usage error, 130 for an interrupt before the first request, 1 for a mock that is not ready. */
  readonly exitCode: 1 | 2 | 130;

  constructor(message: string, exitCode: 1 | 2 | 130 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Compares the name, because `instanceof` fails for errors from dist/mock.js, which has its own copy of the class. */
export const isUsageError = (error: unknown): error is UsageError => error instanceof Error && error.name === 'UsageError';
