import { isObject } from '../../openapi/document.ts';
import { complaintsAbout } from '../../openapi/effective/complaints.ts';
import { contradictions } from '../../openapi/effective/contradictions.ts';
import { questions, rowsOf, standardDocument } from '../../openapi/effective/readings.ts';
import { readRow } from '../../openapi/effective/row-shape.ts';
import type { Row, SourcedRow } from '../../openapi/effective/rows.ts';
import { defaultReadings, type Readings } from '../../openapi/generated/clauses.ts';
import type { Dialect } from '../wire/dialects.ts';
import { didYouMean } from '../world-file/closest.ts';
import type { Path } from '../world-file/places.ts';
import type { LineOf } from '../world-file/text.ts';
import { FactsError } from './facts-error.ts';

/** A facts file, checked; nothing is missing. */
export interface Facts {
  readonly readings: Partial<Readings>;
  readonly rows: readonly Row[];
}

/** Checks a value as facts; `name` is what messages call it. Throws FactsError with everything that is wrong. */
export function factsOf(given: unknown, name = 'the facts', lineOf: LineOf = () => undefined): Facts {
  const problems: string[] = [];
  const facts = readFacts(given, (problem, path) => {
    const line = lineOf(path);
    problems.push(`${name}${line === undefined ? '' : `, line ${line}`}: ${problem}`);
  });
  if (problems.length === 0) {
    for (const sentence of clashes({ ...defaultReadings, ...facts.readings }, facts.rows)) problems.push(`${name}: ${sentence}`);
  }
  if (problems.length > 0) throw new FactsError(problems);
  return facts;
}

/** What cannot go together of these readings and rows, as sentences. */
export function clashes(readings: Readings, ownRows: readonly Row[]): string[] {
  return contradictions([...rowsOf(readings), ...ownRows.map(sourced)], standardDocument);
}

/** Throws FactsError where a row of one's own makes a schema that is none. */
export function mustCompile({ contract, ownRows }: Dialect): void {
  if (!ownRows.some((row) => 'schema' in row)) return;
  try {
    contract.prepare();
  } catch (error) {
    throw new FactsError([
      `With the schema rows of wire, a schema of the contract is none any more: ${(error as Error).message}.`,
    ]);
  }
}

function sourced(row: Row, index: number): SourcedRow {
  return { row, from: `row ${index + 1} of wire` };
}

/** What a file of the conformance suite says beside, for people and for later runs. */
const ignored = ['about', 'unforeseen', 'seen', 'pinned', '$schema'];

/** Takes a problem down, with where in the facts it is. */
type Complain = (problem: string, path: Path) => void;

function readFacts(given: unknown, complain: Complain): Facts {
  if (!isObject(given)) {
    complain('it must be an object of facts and wire.', []);
    return { readings: {}, rows: [] };
  }
  const unknown = Object.keys(given).find((key) => ![...ignored, 'facts', 'wire'].includes(key));
  if (unknown !== undefined)
    complain(`"${unknown}" is no part of it; it takes facts and wire.${didYouMean(unknown, ['facts', 'wire'])}`, [unknown]);
  const { facts = {}, wire = [] } = given;
  if (!isObject(facts)) complain(`facts must name clauses with their readings, not be ${JSON.stringify(facts)}.`, ['facts']);
  if (!Array.isArray(wire)) complain(`wire must be a list of rows, not ${JSON.stringify(wire)}.`, ['wire']);
  return {
    readings: isObject(facts) ? readReadings(facts, complain) : {},
    rows: Array.isArray(wire) ? wire.flatMap((row, index) => readOneRow(row, index, complain)) : [],
  };
}

function readReadings(facts: Readonly<Record<string, unknown>>, complain: Complain): Partial<Readings> {
  const readings: Record<string, string> = {};
  for (const [clause, given] of Object.entries(facts)) {
    const question = Object.hasOwn(questions, clause) ? questions[clause] : undefined;
    if (!question?.readings) {
      const asked = Object.keys(defaultReadings);
      complain(
        question
          ? `${clause} is stated by the specification and has no other reading.`
          : `there is no clause ${clause}.${didYouMean(clause, asked) || ' GET /__mock/readings lists those that have readings.'}`,
        ['facts', clause],
      );
      continue;
    }
    // YAML reads 409 and true as what they look like; readings are texts.
    const reading = typeof given === 'number' || typeof given === 'boolean' ? String(given) : given;
    const known = Object.keys(question.readings);
    if (typeof reading === 'string' && known.includes(reading)) readings[clause] = reading;
    else {
      const meant = typeof reading === 'string' ? didYouMean(reading, known) : '';
      complain(`${clause} has no reading ${JSON.stringify(given)}; it has ${known.join(', ')}.${meant}`, ['facts', clause]);
    }
  }
  return readings as Partial<Readings>;
}

function readOneRow(given: unknown, index: number, complain: Complain): Row[] {
  const row = readRow(given);
  const problems = typeof row === 'string' ? [row] : complaintsAbout(row, standardDocument);
  for (const problem of problems) complain(`row ${index + 1} of wire: ${problem}`, ['wire', index]);
  return typeof row === 'string' || problems.length > 0 ? [] : [row];
}
