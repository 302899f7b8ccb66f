import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../command-line/usage-error.ts';
import type { Row as WireRow } from '../../openapi/effective/rows.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseTexts } from '../core/contract.ts';
import { counted } from '../core/counted.ts';
import { usuallyOldAfter } from '../core/defaults.ts';
import { excerpt } from '../http/excerpt.ts';
import { type FactsFile, readFacts } from '../learn/file.ts';
import { daysBetween, factsDifferences, namesOf, rowsDifferences, seenAt, wordsOf } from '../learn/known.ts';
import { learned } from '../learn/learned.ts';
import { whatFactsAre, writeFacts } from '../learn/written.ts';
import { readRunResult } from '../report/result-file.ts';
import { type Command, type Flags, type Io, say } from './command-line.ts';
import { learn, learning } from './learn.ts';
import { pin, unpin } from './pins.ts';
import { daysOf } from './targeting.ts';

/** What is known of a deployment where the specification leaves something open: learned, written from a run, shown, compared, chosen by hand. */
export const facts = {
  learn: { takes: learning, run: learn },
  write: { takes: ['force'], run: ({ words, io, flags }) => write(words, io, flags) },
  show: { takes: ['old-after'], run: ({ words, io, flags }) => show(words, io, flags) },
  diff: { takes: [], run: ({ words, io }) => diff(words, io) },
  pin: { takes: [], run: ({ words, io }) => pin(words, io) },
  unpin: { takes: [], run: ({ words, io }) => unpin(words, io) },
} as const satisfies Readonly<Record<string, Command>>;

async function write(files: readonly string[], io: Io, { force }: Flags): Promise<number> {
  const [results, file] = two(
    files,
    'facts write takes a result file and the facts file to write: facts write results.json facts.yaml',
  );
  const result = readRunResult(results);
  const { file: found, leftOut } = learned(result);
  const number = Object.keys(found.facts ?? {}).length;
  if (number === 0)
    throw new UsageError(`${results} observed nothing that the specification leaves open, and nothing was written.`);
  if (existsSync(file) && !force)
    throw new UsageError(
      `${file} is there already, and may hold what was pinned or learned. Name another file, add to it with facts learn, or write over it with --force.`,
    );
  await writeFacts(file, found);
  for (const sentence of leftOut) io.stderr.write(`Left out: ${excerpt(sentence, 400)}\n`);
  const besides = Object.keys(found.unforeseen ?? {}).length;
  const rows = found.wire?.length ?? 0;
  const words =
    besides > 0
      ? `, and ${counted(besides, 'answer')} in words that no reading has, with ${counted(rows, 'row')} of wire that ${rows === 1 ? 'comes' : 'come'} of them`
      : '';
  return say(
    io,
    `${file} has ${counted(number, 'reading')} of ${result.target}${words}. giftcard-sandbox mock --facts ${file} answers so.\n`,
  );
}

async function show(files: readonly string[], io: Io, flags: Flags): Promise<number> {
  const [file, more] = files;
  if (file === undefined || more !== undefined) throw new UsageError('facts show takes one facts file: facts show facts.yaml');
  return say(io, shown(await readFacts(file), daysOf(flags['old-after']) ?? usuallyOldAfter, new Date().toISOString()));
}

function shown(known: FactsFile, oldAfter: number, now: string): string {
  const { target, at, by } = known.about ?? {};
  const head = [target && `of ${target}`, at && `at ${at}`, by && `by ${by}`].filter(Boolean).join(', ');
  const all = new Set(namesOf(known));
  const names = [...clauseTexts.keys()].filter((name) => all.has(name));
  const rows = names.map(
    (name): Row => [name, `${excerpt(wordsOf(known, name) ?? '', 200)}${besides(known, name, oldAfter, now)}`],
  );
  const evidence = (name: ClauseName) =>
    (known.seen?.[name]?.evidence ?? []).map(
      ({ method, path, status, body }) => `      ${method} ${path} → ${status} ${excerpt(body, 110)}\n`,
    );
  const width = Math.max(0, ...names.map((name) => name.length)) + 2;
  const told = rows.map(([name, words]) => `${name.padEnd(width)}${words}\n${evidence(name as ClauseName).join('')}`).join('');
  const wire = (known.wire ?? []).map((row) => `      ${rowTold(row, known)}\n`);
  // What somebody wrote by hand was not seen.
  return `${head === '' ? '' : `Seen ${head}\n${whatFactsAre}\n\n`}${told}${wire.length > 0 ? `Rows of wire\n${wire.join('')}` : ''}${names.length} known\n`;
}

/** Since when it is known, and what is special about it. */
function besides(known: FactsFile, name: ClauseName, oldAfter: number, now: string): string {
  const at = seenAt(known, name);
  const age = at === undefined ? undefined : daysBetween(at, now);
  const { as, wire = [] } = known.seen?.[name] ?? {};
  const pinned = known.pinned?.[name];
  const all = [
    ...(known.facts?.[name] === undefined ? ['no reading of ours'] : []),
    ...(wire.length > 0 ? [`${counted(wire.length, 'row')} of wire`] : []),
    ...(pinned === undefined
      ? []
      : [
          `pinned ${pinned.slice(0, 10)}${as === undefined || as === wordsOf(known, name) ? '' : `, seen as ${excerpt(as, 100)}`}`,
        ]),
    at === undefined ? 'not known when seen' : `seen ${at.slice(0, 10)}, ${counted(age ?? 0, 'day')} ago`,
    ...(age !== undefined && age > oldAfter && pinned === undefined ? ['stale'] : []),
  ];
  return `  (${all.join('; ')})`;
}

async function diff(files: readonly string[], io: Io): Promise<number> {
  const [a, b] = two(files, 'facts diff takes two facts files: facts diff before.yaml after.yaml');
  const [before, after] = [await readFacts(a), await readFacts(b)];
  const found = factsDifferences(before, after);
  const told = (words: string | undefined) => (words === undefined ? 'not known' : excerpt(words, 200));
  const { gone, added } = rowsDifferences(before, after);
  const rows = [
    ...gone.map((row) => `      only in ${a}: ${rowTold(row, before)}\n`),
    ...added.map((row) => `      only in ${b}: ${rowTold(row, after)}\n`),
  ];
  const isSame = found.length + rows.length === 0;
  const lines = found.map((each): Row => [each.name, `${told(each.before)} → ${told(each.after)}`]);
  say(io, isSame ? 'No difference.\n' : `${table(lines)}${rows.length > 0 ? `Rows of wire\n${rows.join('')}` : ''}`);
  return isSame ? 0 : 1;
}

/** As it stands in the file, with what it comes of. */
function rowTold(row: WireRow, known: FactsFile): string {
  const words = Object.entries(row).map(
    ([part, value]) => `${part}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const of = namesOf(known).filter((name) => known.seen?.[name]?.wire?.some((one) => isDeepStrictEqual(one, row)));
  return `{ ${excerpt(words.join(', '), 200)} }  (${of.length > 0 ? `seen of ${of.join(', ')}` : 'written by hand'})`;
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
