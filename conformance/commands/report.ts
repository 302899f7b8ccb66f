import { type Asked, type Command, say } from '../command-line.ts';
import { readResult } from '../result-file.ts';
import { UsageError } from '../target.ts';
import { outputOf, rendered, reporting, writeReports } from './output.ts';

/** Any report from result files, without a run. */
export const report: Command = { takes: reporting, run: reportFiles };

function reportFiles({ words, flags, io }: Asked): number {
  if (words.length === 0)
    throw new UsageError('No result file is given. Say which: giftcard-sandbox conformance report results.json');
  const results = words.map(readResult);
  const { named, out } = outputOf(flags, flags.out === undefined ? 'text' : 'html');
  if (out !== undefined) return say(io, `${writeReports(results, named, out).join('\n')}\n`);
  return say(io, named.map((name) => rendered(results, name, undefined)).join(''));
}
