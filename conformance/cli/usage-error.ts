/** A sentence for the user: the configuration is wrong and nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
