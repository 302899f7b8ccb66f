import { UnusableInput } from '../server/unusable-input.ts';

/** A state file that cannot be read, used or written. The message is one sentence; the file is as it was. */
export class StateFileError extends UnusableInput {
  override readonly name = 'StateFileError';

  constructor(sentence: string) {
    super([sentence]);
  }
}
