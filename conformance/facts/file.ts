import { readFileSync, writeFileSync } from 'node:fs';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseTexts } from '../contract.ts';
import type { RunResult } from '../result.ts';
import { UsageError } from '../target.ts';

/** What a run saw of a deployment, as the mock takes it with --facts. */
export interface FactsFile {
  /** Which deployment, when (ISO 8601), and by which suite. */
  readonly about?: { readonly target?: string; readonly at?: string; readonly by?: string };
  /** Clauses that the specification leaves open, with the reading that was seen. */
  readonly facts?: Readonly<Partial<Record<ClauseName, string>>>;
  /** What was seen and is none of the readings, in words; the mock leaves it aside. */
  readonly unforeseen?: Readonly<Partial<Record<ClauseName, string>>>;
  /** Rows for names, places and statuses that no reading has; they come from hand and are kept as they are. */
  readonly wire?: readonly unknown[];
}

/** The facts of a run, in its order. */
export function factsOf({ target, startedAt, suite, clauses }: RunResult): FactsFile {
  const seen = clauses.flatMap(({ name, fact }) => (fact ? [{ name, fact }] : []));
  const foreseen = seen.flatMap(({ name, fact: { reading } }) => (reading === null ? [] : [[name, reading]]));
  const unforeseen = seen.flatMap(({ name, fact: { reading, told } }) => (reading === null ? [[name, told]] : []));
  return {
    about: { target, at: startedAt, by: suite },
    facts: Object.fromEntries(foreseen),
    ...(unforeseen.length > 0 ? { unforeseen: Object.fromEntries(unforeseen) } : {}),
  };
}

/** Reads a facts file of YAML or JSON. Throws UsageError for one that cannot be used, with the first thing that is wrong. */
export async function readFacts(file: string): Promise<FactsFile> {
  const read = await parsed(file);
  if (!isObject(read)) throw new UsageError(`The facts file ${file} must be an object with facts.`);
  const unknown = Object.keys(read).find((key) => !parts.includes(key));
  if (unknown !== undefined)
    throw new UsageError(`The facts file ${file} has "${unknown}", which is no part of one; it takes ${parts.join(', ')}.`);
  const { facts = {}, unforeseen = {}, about = {}, wire } = read;
  for (const [part, value] of Object.entries({ facts, unforeseen, about }))
    if (!isObject(value)) throw new UsageError(`The facts file ${file} must have an object as ${part}.`);
  return {
    about: about as NonNullable<FactsFile['about']>,
    facts: readingsIn(facts as object, file),
    unforeseen: wordsIn(unforeseen as object, file),
    ...(Array.isArray(wire) ? { wire } : {}),
  };
}

/** As JSON where the file's name says so, else as YAML, in which 409 and true keep the quotes that make them readings. */
export async function writeFacts(file: string, facts: FactsFile): Promise<void> {
  const { stringify } = await import('yaml');
  const text = file.endsWith('.json') ? `${JSON.stringify(facts, null, 2)}\n` : stringify(facts);
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`The facts file ${file} could not be written: ${(error as Error).message}`);
  }
}

const parts = ['about', 'facts', 'unforeseen', 'wire', '$schema'];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function parsed(file: string): Promise<unknown> {
  try {
    const { parse } = await import('yaml');
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('\n', 1);
    throw new UsageError(`The facts file ${file} could not be read: ${sentence}`);
  }
}

function readingsIn(facts: object, file: string): Partial<Record<ClauseName, string>> {
  const entries = Object.entries(facts).map(([name, given]) => {
    const known = Object.keys(asked(name, file));
    // YAML reads 409 and true as what they look like; readings are texts.
    const reading = String(given);
    if (!known.includes(reading))
      throw new UsageError(
        `The facts file ${file} gives ${name} the reading ${JSON.stringify(given)}; it has ${known.join(', ')}.`,
      );
    return [name, reading];
  });
  return Object.fromEntries(entries);
}

function wordsIn(unforeseen: object, file: string): Partial<Record<ClauseName, string>> {
  for (const [name, told] of Object.entries(unforeseen)) {
    asked(name, file);
    if (typeof told !== 'string') throw new UsageError(`The facts file ${file} must say in words what ${name} was seen as.`);
  }
  return Object.fromEntries(Object.entries(unforeseen));
}

/** The readings of a clause that asks something. */
function asked(name: string, file: string): Readonly<Record<string, unknown>> {
  const clause = clauseTexts.get(name as ClauseName);
  if (!clause) throw new UsageError(`The facts file ${file} names "${name}", which is no clause; see list --level open.`);
  if (!clause.readings)
    throw new UsageError(`The facts file ${file} names ${name}, which the specification states: it has no readings.`);
  return clause.readings;
}
