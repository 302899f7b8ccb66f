import { UnusableInput } from '../../openapi/input/unusable-input.ts';

/** The state of a sandbox cannot be read, used or written. The state in the folder is unchanged. */
export class StateFileError extends UnusableInput {
  override readonly name = 'StateFileError';
}
