import { type Command, type Io, say } from '../command-line.ts';
import { clauseTexts } from '../contract.ts';
import { type FactsFile, factsOf, readFacts, writeFacts } from '../facts/file.ts';
import { factsDifferences, wordsOf } from '../facts/known.ts';
import { excerpt } from '../names.ts';
import { readResult } from '../result-file.ts';
import { UsageError } from '../target.ts';

/** What is known of a deployment where the specification leaves something open: written from a run, shown, compared. */
export const facts: Command = { takes: [], run: ({ words: [does = '', ...files], io }) => chosen(does)(files, io) };

type Does = (files: readonly string[], io: Io) => Promise<number>;

const does: Readonly<Record<string, Does>> = { write, show, diff };

function chosen(name: string): Does {
  const found = Object.hasOwn(does, name) ? does[name] : undefined;
  if (found) return found;
  throw new UsageError(`facts takes write, show or diff, not "${name}". See giftcard-sandbox conformance --help.`);
}

async function write(files: readonly string[], io: Io): Promise<number> {
  const [results, file] = two(
    files,
    'facts write takes a result file and the facts file to write: facts write results.json facts.yaml',
  );
  const result = readResult(results);
  const found = factsOf(result);
  const number = Object.keys(found.facts ?? {}).length;
  if (number === 0)
    throw new UsageError(`${results} observed nothing that the specification leaves open, and nothing was written.`);
  await writeFacts(file, found);
  const besides = Object.keys(found.unforeseen ?? {}).length;
  const words = besides > 0 ? `, and ${besides} answers in words that no reading has, which the mock leaves aside` : '';
  return say(
    io,
    `${file} has ${number} readings of ${result.target}${words}. giftcard-sandbox mock --facts ${file} answers so.\n`,
  );
}

async function show(files: readonly string[], io: Io): Promise<number> {
  const [file, more] = files;
  if (file === undefined || more !== undefined) throw new UsageError('facts show takes one facts file: facts show facts.yaml');
  return say(io, shown(await readFacts(file)));
}

function shown(known: FactsFile): string {
  const { target, at, by } = known.about ?? {};
  const head = [target && `of ${target}`, at && `at ${at}`, by && `by ${by}`].filter(Boolean).join(', ');
  const names = [...clauseTexts.keys()].filter((name) => wordsOf(known, name) !== undefined);
  const rows = names.map(
    (name): Row => [
      name,
      `${excerpt(wordsOf(known, name) ?? '', 200)}${known.facts?.[name] === undefined ? '  (no reading of ours)' : ''}`,
    ],
  );
  return `${head === '' ? '' : `Seen ${head}\n`}${table(rows)}${names.length} known\n`;
}

async function diff(files: readonly string[], io: Io): Promise<number> {
  const [a, b] = two(files, 'facts diff takes two facts files: facts diff before.yaml after.yaml');
  const found = factsDifferences(await readFacts(a), await readFacts(b));
  const told = (words: string | undefined) => (words === undefined ? 'not known' : excerpt(words, 200));
  say(
    io,
    found.length === 0
      ? 'No difference.\n'
      : table(found.map(({ name, before, after }): Row => [name, `${told(before)} → ${told(after)}`])),
  );
  return found.length === 0 ? 0 : 1;
}

type Row = readonly [name: string, words: string];

function table(rows: readonly Row[]): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, words]) => `${name.padEnd(width)}${words}\n`).join('');
}

function two(files: readonly string[], otherwise: string): readonly [string, string] {
  const [a, b] = files;
  if (a === undefined || b === undefined || files.length > 2) throw new UsageError(otherwise);
  return [a, b];
}
