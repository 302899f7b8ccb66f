import { UnusableInput } from '../server/unusable-input.ts';

/** A world that cannot be used. */
export class WorldFileError extends UnusableInput {
  override readonly name = 'WorldFileError';
}
