/** A command cannot use its input. The message names the value and the remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** 130 for an interrupt before the first request, 1 for a mock that is not ready. */
  readonly exitCode: 1 | 2 | 130;

  constructor(message: string, exitCode: 1 | 2 | 130 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The name is compared, not the class, because dist/mock.js has its own copy of the class. */
export const isUsageError = (error: unknown): error is UsageError => error instanceof Error && error.name === 'UsageError';
