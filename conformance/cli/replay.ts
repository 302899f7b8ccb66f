import { UsageError } from '../../command-line/usage-error.ts';
import { called } from '../core/cli-name.ts';
import type { Command } from './command-line.ts';
import { run } from './run.ts';

/** A run of the named clauses alone, with what they need to be set up. */
export const replay: Command = {
  takes: run.takes,
  run(asked) {
    if (asked.words.length === 0)
      throw new UsageError(`Say which clause to replay: ${called} replay --target URL adjustment.answers-true`);
    return run.run(asked);
  },
};
