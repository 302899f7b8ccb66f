import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { type ExitCode, exitCode } from '../core/exit.ts';
import { makeFolder } from '../core/files.ts';
import type { Result } from '../core/result.ts';
import { type FormatName, formats } from '../report/formats.ts';
import { readResult } from '../report/result-file.ts';
import type { CliContext, Io } from './context.ts';
import { exitNotes, type ReportValues, reportFlags } from './flags.ts';

export interface Output {
  readonly stdoutFormat: FormatName;
  readonly verbose: boolean;
  /** The files of --out; empty without it. */
  readonly files: ReadonlyMap<FormatName, string>;
}

/** Creates the folder of --out before the run, because the reports would be lost without it. Throws UsageError. */
export function outputFrom({ reporter = ['text'], out, verbose = false }: ReportValues): Output {
  const [first = 'text', ...others] = new Set(reporter);
  if (out === undefined) {
    if (others.length === 0) return { stdoutFormat: first, verbose, files: new Map() };
    throw new UsageError(`--reporter ${reporter.join(',')} needs --out FOLDER, because standard output takes one report.`);
  }
  try {
    makeFolder(out);
  } catch (error) {
    throw new UsageError(`The folder ${out} could not be created: ${whyNot(error, 'written')}.`);
  }
  const names = new Set<FormatName>(['json', 'text', 'html', ...reporter]);
  return { stdoutFormat: 'text', verbose, files: new Map([...names].map((name) => [name, join(out, formats[name].file)])) };
}

/** Ends a command that has results: prints the report, writes the files and returns the exit code, which is 6 if a file could not be written. */
export function finish(
  { stdout, stderr }: Io,
  results: readonly Result[],
  { stdoutFormat, verbose, files }: Output,
  code: ExitCode = worstCode(results.map(exitCode)),
): ExitCode {
  const page = files.get('html');
  stdout.write(formats[stdoutFormat].render(results, { verbose, page }));
  const isWritten = canWrite(stderr, () => {
    for (const [name, path] of files) writeReport(path, formats[name].render(results, { verbose: true, page }), results);
  });
  return isWritten || code === 5 ? code : 6;
}

/** Code 5 wins over all others. */
export const worstCode = (codes: readonly ExitCode[]): ExitCode =>
  codes.includes(5) ? 5 : codes.reduce((worst, code) => (code > worst ? code : worst), 0);

/** The traffic of a proxy may be about live cards and people, so its reports are private. */
function writeReport(path: string, text: string, results: readonly Result[]): void {
  const isPrivate = results.some(({ kind }) => kind === 'proxy');
  // An existing file keeps its mode, so change it before writing.
  if (isPrivate && existsSync(path)) chmodSync(path, 0o600);
  writeFileSync(path, text, { mode: isPrivate ? 0o600 : 0o666 });
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

export const reportCommand = ({ io }: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'report <results...>',
    summary: 'Renders results.json files; several begin with a table of differences',
    flags: reportFlags,
    notes: exitNotes([0, 2, 6], {
      0: 'the report is printed or written',
      2: 'the command or a file cannot be used',
      6: 'the report could not be written',
    }),
    run(values, files) {
      const results = files.map(readResult);
      const output = outputFrom(values);
      const newFiles = [...output.files.values()].map((file) => resolve(file));
      const overwritten = files.find((file) => newFiles.includes(resolve(file)));
      if (overwritten !== undefined && results.length > 1)
        throw new UsageError(`--out ${values.out} would overwrite ${overwritten}. Name another folder.`);
      return finish(io, results, output, 0);
    },
  });
