import { UnusableInput } from '../server/unusable-input.ts';

/** Facts that cannot be used. */
export class FactsError extends UnusableInput {
  override readonly name = 'FactsError';
}
