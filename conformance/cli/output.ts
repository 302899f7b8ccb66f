import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hasColor } from '../../command-line/color.ts';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { type ExitCode, exitCode } from '../core/exit.ts';
import { makeFolder } from '../core/files.ts';
import type { Result } from '../core/result.ts';
import { type FormatName, formats } from '../report/formats.ts';
import { readResult } from '../report/result-file.ts';
import type { CliContext, Io } from './context.ts';
import { examplesOf, exitNotes, type ReportValues, reportFlags } from './flags.ts';

export interface Output {
  readonly stdoutFormat: FormatName;
  readonly verbose: boolean;
  readonly files: ReadonlyMap<FormatName, string>;
}

/** Creates the folder of --out before the run, because a later failure would lose the reports. Throws UsageError. */
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

/** Prints the report and writes the files. Returns the exit code. */
export function finish(
  { io: { stdout, stderr }, environment }: CliContext,
  results: readonly Result[],
  { stdoutFormat, verbose, files }: Output,
  code: ExitCode = worstCode(results.map(exitCode)),
): ExitCode {
  const page = files.get('html');
  const color = hasColor(stdout, environment);
  stdout.write(formats[stdoutFormat].render(results, { verbose, page, color }));
  return codeAfter(stderr, code, () => {
    for (const [name, path] of files) writeFileSync(path, formats[name].render(results, { verbose: true, page }));
  });
}

const bySeverity: readonly ExitCode[] = [5, 6, 130, 4, 3, 2, 1];

export const worstCode = (codes: readonly ExitCode[]): ExitCode => bySeverity.find((code) => codes.includes(code)) ?? 0;

/** Writes files. Returns the exit code. If a file could not be written, prints its path, and counts this as code 6. */
export function codeAfter(stderr: Io['stderr'], code: ExitCode, write: () => void): ExitCode {
  try {
    write();
    return code;
  } catch (error) {
    const { path } = error as NodeJS.ErrnoException;
    stderr.write(`Results could not be written${path === undefined ? '' : ` to ${path}`}: ${whyNot(error, 'written')}.\n`);
    return worstCode([code, 6]);
  }
}

export const reportCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'report <results...>',
    summary: 'Renders one or several results.json files as a report',
    flags: reportFlags,
    examples: examplesOf('report', 'results.json', 'a.json b.json --out reports', 'results.json --reporter markdown'),
    notes: exitNotes([0, 2, 6], {
      0: 'the report is printed or written',
      2: 'a flag, argument or file is missing or wrong',
      6: 'the report could not be written',
    }),
    run(values, files) {
      const results = files.map(readResult);
      const output = outputFrom(values);
      const newFiles = [...output.files.values()].map((file) => resolve(file));
      const overwritten = files.find((file) => newFiles.includes(resolve(file)));
      if (overwritten !== undefined && results.length > 1)
        throw new UsageError(`--out ${values.out} would overwrite ${overwritten}. Name another folder.`);
      return finish(context, results, output, 0);
    },
  });
