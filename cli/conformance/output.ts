import { writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { ExitCode } from '../../conformance/core/exit.ts';
import { type FormatName, reportFormats } from '../../conformance/report/formats.ts';
import { endingOf, type Result } from '../../conformance/report/result.ts';
import { readResult } from '../../conformance/report/result-file.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { hasColor } from '../color.ts';
import { text, type Values } from '../flags.ts';
import { type CommandDefinition, defineCommand } from '../run-command.ts';
import { UsageError } from '../usage-error.ts';
import { makeFolder } from '../user-files.ts';
import type { CliContext, SuiteIo } from './context.ts';
import { examplesOf, exitNotes, type ReportValues, reportFlags } from './flags.ts';

type OutputValues = ReportValues & Partial<Values<typeof fileFlags>>;

interface Output {
  readonly stdoutFormat: FormatName;
  readonly verbose: boolean;
  readonly files: ReadonlyMap<FormatName, string>;
  /** The names of several results. */
  readonly names?: readonly string[];
}

const fileFlags = {
  html: text('FILE', 'writes the HTML page to FILE'),
  badge: text('FILE', 'writes an SVG badge with the verdict and its count to FILE'),
};

/** Creates the folder of --out before the run, because a later failure would lose the reports. Throws UsageError. */
export function outputFrom({ reporter = ['text'], out, verbose = false, html, badge }: OutputValues): Output {
  const [first = 'text', ...others] = new Set(reporter);
  const files = new Map<FormatName, string>();
  if (out !== undefined) {
    try {
      makeFolder(out);
    } catch (error) {
      throw new UsageError(`The folder ${out} could not be created: ${whyNot(error, 'written')}.`);
    }
    for (const name of ['json', 'text', 'html', ...reporter] as const) files.set(name, join(out, reportFormats[name].file));
  } else if (others.length > 0)
    throw new UsageError(`--reporter ${reporter.join(',')} needs --out FOLDER, because standard output takes one report.`);
  if (html !== undefined) files.set('html', html);
  if (badge !== undefined) files.set('badge', badge);
  return { stdoutFormat: out === undefined ? first : 'text', verbose, files };
}

/** Prints the report and writes the files. Returns the exit code. */
export function finish(
  { io: { stdout, stderr }, environment }: CliContext,
  results: readonly Result[],
  { stdoutFormat, verbose, files, names }: Output,
  code: ExitCode = worstCode(results.map((result) => endingOf(result).code)),
): ExitCode {
  const page = files.get('html');
  const color = hasColor(stdout, environment);
  stdout.write(reportFormats[stdoutFormat].render(results, { verbose, page, color, names }));
  return codeAfter(stderr, code, () => {
    for (const [name, path] of files) writeFileSync(path, reportFormats[name].render(results, { verbose: true, page, names }));
  });
}

const bySeverity: readonly ExitCode[] = [5, 6, 130, 4, 3, 2, 1];

const worstCode = (codes: readonly ExitCode[]): ExitCode => bySeverity.find((code) => codes.includes(code)) ?? 0;

/** Writes files. Returns the exit code. If a file could not be written, prints its path, and counts this as code 6. */
export function codeAfter(stderr: SuiteIo['stderr'], code: ExitCode, write: () => void): ExitCode {
  try {
    write();
    return code;
  } catch (error) {
    const { path } = error as NodeJS.ErrnoException;
    stderr.write(`Results could not be written${path === undefined ? '' : ` to ${path}`}: ${whyNot(error, 'written')}.\n`);
    return worstCode([code, 6]);
  }
}

/** Returns the folders and names in which the paths differ: "node" and "go" for runs/node/results.json and runs/go/results.json. */
function differingParts(files: readonly string[]): string[] {
  const all = files.map((file) => resolve(file).split(sep));
  const isCommon = (index: number) => all.every((parts) => parts.at(index) === all[0]?.at(index));
  const shortest = Math.min(...all.map(({ length }) => length));
  const numbers = Array.from({ length: shortest }, (_, index) => index);
  const start = numbers.find((index) => !isCommon(index)) ?? shortest - 1;
  const end = numbers.find((index) => !isCommon(-1 - index)) ?? 0;
  return all.map((parts, index) => parts.slice(start, parts.length - end).join('/') || (files[index] ?? ''));
}

export const reportCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'report <results...>',
    summary: 'Renders one or several results.json files as a report',
    flags: { ...reportFlags, ...fileFlags },
    examples: examplesOf(
      'report',
      'results.json --badge badge.svg',
      'node/results.json go/results.json --html matrix.html',
      'results.json --reporter markdown',
    ),
    notes: exitNotes([0, 2, 6], {
      0: 'the report is printed or written',
      2: 'a flag, argument or file is missing or wrong',
      6: 'the report could not be written',
    }),
    run(values, files) {
      const results = files.map(readResult);
      const output = outputFrom(values);
      for (const [format, path] of output.files)
        if ((format !== 'json' || results.length > 1) && files.some((file) => resolve(file) === resolve(path)))
          throw new UsageError(`The report would overwrite ${path}. Name another file or folder.`);
      return finish(context, results, { ...output, names: differingParts(files) }, 0);
    },
  });
