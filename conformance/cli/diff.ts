import { UsageError } from '../../command-line/usage-error.ts';
import { called } from '../core/cli-name.ts';
import { differences, diffText } from '../core/difference.ts';
import type { RunResult } from '../core/result.ts';
import { excerpt } from '../http/excerpt.ts';
import { readRunResult } from '../report/result-file.ts';
import { type Asked, type Command, say } from './command-line.ts';

/** What two runs found differently; exit 1 when a verdict became worse. */
export const diff: Command = { takes: [], run: diffFiles };

function diffFiles({ words, io }: Asked): number {
  const [a, b] = words;
  if (a === undefined || b === undefined || words.length > 2)
    throw new UsageError(`diff takes two result files: ${called} diff before.json after.json`);
  const [before, after] = [readRunResult(a), readRunResult(b)];
  const found = differences(before, after);
  const of = ({ target, startedAt }: RunResult) => excerpt(`${target}, ${startedAt.slice(0, 19).replace('T', ' ')}`);
  say(io, `before  ${of(before)} (${a})\nafter   ${of(after)} (${b})\n\n${diffText(found)}`);
  return found.some(({ kind }) => kind === 'worse') ? 1 : 0;
}
