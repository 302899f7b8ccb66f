import { UnusableInput } from '../../openapi/input/unusable-input.ts';

/** Facts that cannot be used. */
export class FactsError extends UnusableInput {
  override readonly name = 'FactsError';
}
