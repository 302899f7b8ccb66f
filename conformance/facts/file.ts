import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isObject } from '../../openapi/document.ts';
import { readRow } from '../../openapi/effective/row-shape.ts';
import type { Row } from '../../openapi/effective/rows.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseTexts } from '../contract.ts';
import { UsageError } from '../target.ts';
import type { Evidence } from './evidence.ts';

/** What a run saw of a deployment, as the mock takes it with --facts. */
export interface FactsFile {
  /** Which deployment, when it was looked at last (ISO 8601), and by which suite. */
  readonly about?: { readonly target?: string; readonly at?: string; readonly by?: string };
  /** Clauses that the specification leaves open, with the reading that holds. */
  readonly facts?: ByClause<string>;
  /** What was seen and is none of the readings, in words; the mock leaves it aside, but for the rows that come of it. */
  readonly unforeseen?: ByClause<string>;
  /** Rows for names, places, statuses and bodies that no reading has: those that were seen, and those that somebody wrote. */
  readonly wire?: readonly Row[];
  /** Clauses whose reading was chosen by hand, with the time. */
  readonly pinned?: ByClause<string>;
  /** When each was seen, and by what; the mock leaves it aside. */
  readonly seen?: ByClause<Sighting>;
}

export type ByClause<T> = Readonly<Partial<Record<ClauseName, T>>>;

export interface Sighting {
  /** When it was seen last (ISO 8601). */
  readonly at: string;
  /** What was seen, where something else holds: the clause is pinned, or what was seen cannot stand beside the rest. */
  readonly as?: string;
  /** The rows of `wire` that come of it. */
  readonly wire?: readonly Row[];
  readonly evidence?: readonly Evidence[];
}

/** Reads a facts file of YAML or JSON. Throws UsageError for one that cannot be used, with the first thing that is wrong. */
export async function readFacts(file: string): Promise<FactsFile> {
  const read = await parsed(file);
  if (!isObject(read)) throw new UsageError(`The facts file ${file} must be an object with facts.`);
  const unknown = Object.keys(read).find((key) => !parts.includes(key));
  if (unknown !== undefined)
    throw new UsageError(`The facts file ${file} has "${unknown}", which is no part of one; it takes ${parts.join(', ')}.`);
  const { facts = {}, unforeseen = {}, about = {}, pinned = {}, seen = {}, wire } = read;
  for (const [part, value] of Object.entries({ facts, unforeseen, about, pinned, seen }))
    if (!isObject(value)) throw new UsageError(`The facts file ${file} must have an object as ${part}.`);
  return {
    about: about as NonNullable<FactsFile['about']>,
    facts: readingsIn(facts as object, file),
    unforeseen: wordsIn(unforeseen as object, file),
    ...(wire === undefined ? {} : { wire: rowsIn(wire, 'wire', file) }),
    ...(Object.keys(pinned as object).length > 0 ? { pinned: pinnedIn(pinned as object, facts as object, file) } : {}),
    ...(Object.keys(seen as object).length > 0 ? { seen: sightingsIn(seen as object, file) } : {}),
  };
}

/**
 * As JSON where the file's name says so, else as YAML, in which 409 and true keep the quotes that make them readings. The file is there as it was or as
 * it is to be, and never half. Throws UsageError.
 */
export async function writeFacts(file: string, facts: FactsFile): Promise<void> {
  const text = file.endsWith('.json') ? `${JSON.stringify(facts, null, 2)}\n` : await asYaml(facts);
  try {
    writeFileSync(`${file}.part`, text);
    renameSync(`${file}.part`, file);
  } catch (error) {
    throw new UsageError(`The facts file ${file} could not be written: ${(error as Error).message}`);
  }
}

/** What everybody who reads facts has to know of them. */
export const whatFactsAre =
  'What was seen of one deployment where the specification leaves something open. It may be a setting of the account that was looked at, or of\nits plan, and no rule of the service; nothing here is stated by anybody.';

/** With a row and an exchange in a line each. */
async function asYaml(facts: FactsFile): Promise<string> {
  const { Document, isMap, isSeq } = await import('yaml');
  const document = new Document(facts, { aliasDuplicateObjects: false });
  document.commentBefore = whatFactsAre.replaceAll(/^/gm, ' ');
  const inLines = (list: unknown) => {
    for (const item of isSeq(list) ? list.items : []) if (isMap(item)) item.flow = true;
  };
  inLines(document.get('wire'));
  const seen = document.get('seen');
  for (const { value } of isMap(seen) ? seen.items : [])
    if (isMap(value)) for (const part of ['wire', 'evidence']) inLines(value.get(part));
  return document.toString({ lineWidth: 0 });
}

const parts = ['about', 'facts', 'unforeseen', 'wire', 'pinned', 'seen', '$schema'];

async function parsed(file: string): Promise<unknown> {
  try {
    const { parse } = await import('yaml');
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('\n', 1);
    throw new UsageError(`The facts file ${file} could not be read: ${sentence}`);
  }
}

function readingsIn(facts: object, file: string): ByClause<string> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, given]) => [name, readingOf(name, given, `The facts file ${file}`)]),
  );
}

/** A reading that the clause has. Throws UsageError, with `whose` as the sentence's beginning. */
export function readingOf(name: string, given: unknown, whose: string): string {
  const known = Object.keys(asked(name, whose));
  // YAML reads 409 and true as what they look like; readings are texts.
  const reading = String(given);
  if (!known.includes(reading))
    throw new UsageError(`${whose} gives ${name} the reading ${JSON.stringify(given)}; it has ${known.join(', ')}.`);
  return reading;
}

function wordsIn(unforeseen: object, file: string): ByClause<string> {
  for (const [name, told] of Object.entries(unforeseen)) {
    asked(name, `The facts file ${file}`);
    if (typeof told !== 'string') throw new UsageError(`The facts file ${file} must say in words what ${name} was seen as.`);
  }
  return Object.fromEntries(Object.entries(unforeseen));
}

function rowsIn(wire: unknown, where: string, file: string): Row[] {
  if (!Array.isArray(wire)) throw new UsageError(`The facts file ${file} must have a list of rows as ${where}.`);
  return wire.map((given, index) => {
    const row = readRow(given);
    if (typeof row === 'string') throw new UsageError(`The facts file ${file}, row ${index + 1} of ${where}: ${row}`);
    return row;
  });
}

function pinnedIn(pinned: object, facts: object, file: string): ByClause<string> {
  for (const [name, at] of Object.entries(pinned)) {
    asked(name, `The facts file ${file}`);
    if (!isTime(at)) throw new UsageError(`The facts file ${file} must say as ISO 8601 when ${name} was pinned.`);
    if (!Object.hasOwn(facts, name)) throw new UsageError(`The facts file ${file} pins ${name} and has no reading of it.`);
  }
  return Object.fromEntries(Object.entries(pinned));
}

function sightingsIn(seen: object, file: string): ByClause<Sighting> {
  const entries = Object.entries(seen).map(([name, given]) => {
    asked(name, `The facts file ${file}`);
    if (!isObject(given) || !isTime(given.at))
      throw new UsageError(`The facts file ${file} must say as ISO 8601 when ${name} was seen: { at: 2026-01-31T12:00:00Z }.`);
    if (given.wire !== undefined) rowsIn(given.wire, `what was seen of ${name}`, file);
    return [name, given as unknown as Sighting];
  });
  return Object.fromEntries(entries);
}

const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** The readings of a clause that asks something. */
function asked(name: string, whose: string): Readonly<Record<string, unknown>> {
  const clause = clauseTexts.get(name as ClauseName);
  if (!clause) throw new UsageError(`${whose} names "${name}", which is no clause; see list --level open.`);
  if (!clause.readings) throw new UsageError(`${whose} names ${name}, which the specification states: it has no readings.`);
  return clause.readings;
}
