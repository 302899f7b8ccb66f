import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../command-line/usage-error.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { makeFolder } from '../core/files.ts';
import type { Result } from '../core/result.ts';
import { type FormatName, formats } from '../report/formats.ts';
import type { Flags, Io } from './command-line.ts';

/** Flags of every command that reports. */
export const reporting = ['reporter', 'out'] as const;

export interface Output<F extends string = FormatName> {
  /** The formats asked for. */
  readonly named: readonly F[];
  /** What goes to standard output: where files are written, the text. */
  readonly printed: F | 'text';
  readonly out: string | undefined;
}

/** Where reports go. Makes the folder, so that a run does not end with nowhere to put what it found. Throws UsageError. */
export function outputOf(flags: Flags, usual: FormatName): Output {
  return outputIn(flags, usual, formats);
}

/** The same of a command with forms of its own. */
export function outputIn<F extends string>(
  { reporter = [], out }: Flags,
  usual: NoInfer<F>,
  known: Readonly<Record<F, unknown>>,
): Output<F> {
  const named = formatNames(reporter.length > 0 ? reporter : [usual], known);
  if (out === undefined && named.length > 1)
    throw new UsageError('Several reporters need --out DIR, since only one report fits on standard output.');
  if (out !== undefined) {
    try {
      makeFolder(out);
    } catch (error) {
      throw new UsageError(`The folder ${out} could not be made: ${whyNot(error, 'written')}.`);
    }
  }
  return { named, out, printed: out === undefined ? (named[0] ?? usual) : 'text' };
}

const always: readonly FormatName[] = ['json', 'text', 'html'];

/** The files that --out has, by format: three in any case, and what is named besides. */
export const reportFiles = (named: readonly FormatName[], out: string): ReadonlyMap<FormatName, string> =>
  new Map([...always, ...named].map((name) => [name, join(out, formats[name].file)]));

/** Writes them, and answers with their paths. */
export function writeReports(results: readonly Result[], named: readonly FormatName[], out: string): string[] {
  // What passed through a proxy is of live cards and people, and so for its owner only.
  const isPrivate = results.some(({ kind }) => kind === 'proxy');
  return [...reportFiles(named, out)].map(([name, path]) => {
    // A file that is there keeps its mode, and would be anybody's while it is written.
    if (isPrivate && existsSync(path)) chmodSync(path, 0o600);
    writeFileSync(path, rendered(results, name, out), { mode: isPrivate ? 0o600 : 0o666 });
    return path;
  });
}

/** A report as text; with a folder, it says where in there the evidence stands. */
export function rendered(results: readonly Result[], name: FormatName, out: string | undefined): string {
  return formats[name].render(results, {
    verbose: out !== undefined,
    page: out === undefined ? undefined : join(out, formats.html.file),
  });
}

/** Whether the files could be written; says which could not. */
export function written(io: Io, write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    const { path } = error as NodeJS.ErrnoException;
    io.stderr.write(
      `What was found could not be written down${path === undefined ? '' : `, to ${path}`}: ${whyNot(error, 'written')}.\n`,
    );
    return false;
  }
}

/** Throws UsageError for an unknown name. */
function formatNames<F extends string>(names: readonly string[], known: Readonly<Record<F, unknown>>): F[] {
  return [...new Set(names)].map((name) => {
    if (Object.hasOwn(known, name)) return name as F;
    throw new UsageError(`Unknown reporter "${name}". Known are ${Object.keys(known).join(', ')}.`);
  });
}
