import { WorldFileError } from '../world-file/world-file-error.ts';

/** Facts that cannot be used. The message is one sentence or two: where, the thing, the value, the way out. */
export class FactsError extends WorldFileError {
  override readonly name = 'FactsError';
}
