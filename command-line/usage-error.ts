/** Input that a command cannot use. The message names the value and the remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
