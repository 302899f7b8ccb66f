import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../command-line/usage-error.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { type ExitCode, exitCode } from '../core/exit.ts';
import { makeFolder } from '../core/files.ts';
import type { Result } from '../core/result.ts';
import { type FormatName, formats } from '../report/formats.ts';
import type { Io } from './context.ts';
import type { ReportValues } from './flags.ts';

export interface Output {
  readonly formats: readonly FormatName[];
  /** The format on standard output. With --out it is the text. */
  readonly stdoutFormat: FormatName;
  readonly folder: string | undefined;
  readonly verbose: boolean;
}

/** Creates the folder of --out before the run, because the reports would be lost without it. Throws UsageError. */
export function outputFrom({ reporter, out, verbose = false }: ReportValues): Output {
  const chosen = [...new Set(reporter ?? ['text' as const])];
  if (out === undefined && chosen.length > 1)
    throw new UsageError(`--reporter ${chosen.join(',')} needs --out FOLDER, because standard output takes one report.`);
  if (out !== undefined) {
    try {
      makeFolder(out);
    } catch (error) {
      throw new UsageError(`The folder ${out} could not be created: ${whyNot(error, 'written')}.`);
    }
  }
  return { formats: chosen, stdoutFormat: out === undefined ? (chosen[0] ?? 'text') : 'text', folder: out, verbose };
}

/** The files of --out by format: JSON, text, HTML and those of --reporter. */
export const reportFiles = (chosen: readonly FormatName[], folder: string): ReadonlyMap<FormatName, string> =>
  new Map([...new Set<FormatName>(['json', 'text', 'html', ...chosen])].map((name) => [name, join(folder, formats[name].file)]));

interface Finish {
  /** Default: the exit code of the results. */
  readonly code?: ExitCode;
  /** Writes other files of the command. */
  readonly more?: () => void;
}

/** Ends a command that has results: prints the report, writes the files and returns the exit code, which is 6 if a file could not be written. */
export function finish(
  { stdout, stderr }: Io,
  results: readonly Result[],
  output: Output,
  { code, more }: Finish = {},
): ExitCode {
  const { folder, stdoutFormat, verbose } = output;
  const page = folder === undefined ? undefined : join(folder, formats.html.file);
  stdout.write(formats[stdoutFormat].render(results, { verbose, page }));
  const isWritten = canWrite(stderr, () => {
    if (folder !== undefined) writeReports(results, output.formats, folder);
    more?.();
  });
  const own = code ?? worstCode(results.map(exitCode));
  return isWritten || own === 5 ? own : 6;
}

/** Code 5 wins over all others. */
export const worstCode = (codes: readonly ExitCode[]): ExitCode =>
  codes.includes(5) ? 5 : codes.reduce((worst, code) => (code > worst ? code : worst), 0);

/** Writes the files of --out, and returns their paths. */
export function writeReports(results: readonly Result[], chosen: readonly FormatName[], folder: string): string[] {
  // The traffic of a proxy may be about live cards and people.
  const isPrivate = results.some(({ kind }) => kind === 'proxy');
  return [...reportFiles(chosen, folder)].map(([name, path]) => {
    // An existing file keeps its mode, so change it before writing.
    if (isPrivate && existsSync(path)) chmodSync(path, 0o600);
    const text = formats[name].render(results, { verbose: true, page: join(folder, formats.html.file) });
    writeFileSync(path, text, { mode: isPrivate ? 0o600 : 0o666 });
    return path;
  });
}

/** Returns whether the files could be written; prints the one that could not. */
export function canWrite(stderr: Io['stderr'], write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    const { path } = error as NodeJS.ErrnoException;
    stderr.write(`Results could not be written${path === undefined ? '' : ` to ${path}`}: ${whyNot(error, 'written')}.\n`);
    return false;
  }
}
