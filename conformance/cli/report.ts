import { resolve } from 'node:path';
import { UsageError } from '../../command-line/usage-error.ts';
import { called } from '../core/cli-name.ts';
import { readResult } from '../report/result-file.ts';
import { type Asked, type Command, say } from './command-line.ts';
import { outputOf, rendered, reportFiles, reporting, writeReports, written } from './output.ts';

/** Any report from result files, without a run. */
export const report: Command = { takes: reporting, run: reportOf };

function reportOf({ words, flags, io }: Asked): number {
  if (words.length === 0) throw new UsageError(`No result file is given. Say which: ${called} report results.json`);
  const results = words.map(readResult);
  const { named, out } = outputOf(flags, 'text');
  if (out === undefined) return say(io, named.map((name) => rendered(results, name, undefined)).join(''));
  const files = [...reportFiles(named, out).values()].map((file) => resolve(file));
  const read = words.find((word) => files.includes(resolve(word)));
  if (read !== undefined && results.length > 1)
    throw new UsageError(`What is written to ${out} would take the place of ${read}. Name another folder with --out.`);
  return written(io, () => void say(io, `${writeReports(results, named, out).join('\n')}\n`)) ? 0 : 6;
}
