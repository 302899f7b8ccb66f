import { isObject, type JsonObject } from '../document.ts';
import { questions, standardDocument } from '../effective/behaviors.ts';
import { complaintsAbout } from '../effective/complaints.ts';
import { readRow } from '../effective/row-shape.ts';
import type { Row } from '../effective/rows.ts';
import { type Behaviors, type ClauseName, defaultBehaviors } from '../generated/clauses.ts';
import { didYouMean } from '../input/closest.ts';
import type { Path } from '../input/text.ts';
import type { ByClause, FactsFile, Sighting } from './facts-file.ts';

/** Takes a problem down, with where in the facts it is. */
export type Complain = (problem: string, path: Path) => void;

export function behaviorsIn(given: unknown, complain: Complain): Partial<Behaviors> {
  const behaviors: Record<string, string> = {};
  for (const [name, value] of Object.entries(objectIn(given, 'facts', 'clauses with their behaviors', complain))) {
    const { reading, problem } = readingOf(name, value);
    if (problem !== undefined) complain(problem, ['facts', name]);
    else behaviors[name] = reading;
  }
  return behaviors as Partial<Behaviors>;
}

type Read =
  | { readonly reading: string; readonly problem?: undefined }
  | { readonly reading?: undefined; readonly problem: string };

/** The reading of a clause that is given for it, or what is wrong with it as a sentence. */
export function readingOf(name: string, given: unknown): Read {
  const problem = unaskable(name);
  if (problem !== undefined) return { problem };
  // YAML reads 409 and true as what they look like; behaviors are texts.
  const reading = typeof given === 'number' || typeof given === 'boolean' ? String(given) : given;
  const known = Object.keys(questions[name]?.behaviors ?? {});
  if (typeof reading === 'string' && known.includes(reading)) return { reading };
  const meant = typeof reading === 'string' ? didYouMean(reading, known) : '';
  return { problem: `${name} has no reading ${JSON.stringify(given)}; it has ${known.join(', ')}.${meant}` };
}

/** Why nothing can be known of a clause beyond what is stated; undefined for one that asks something. */
function unaskable(name: string): string | undefined {
  const question = Object.hasOwn(questions, name) ? questions[name] : undefined;
  if (question?.behaviors) return undefined;
  if (question) return `${name} is stated by the specification and has no other reading.`;
  const meant = didYouMean(name, Object.keys(defaultBehaviors));
  return `there is no clause ${name}.${meant || ' GET /__mock/behaviors of the mock, and conformance list, show those that have behaviors.'}`;
}

export function rowsIn(given: unknown, complain: Complain, path: Path = ['wire'], what = 'wire'): Row[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) {
    complain(`${what} must be a list of rows, not ${JSON.stringify(given)}.`, path);
    return [];
  }
  return given.flatMap((each, index) => {
    const row = readRow(each);
    const problems = typeof row === 'string' ? [row] : complaintsAbout(row, standardDocument);
    for (const problem of problems) complain(`row ${index + 1} of ${what}: ${problem}`, [...path, index]);
    return typeof row === 'string' || problems.length > 0 ? [] : [row];
  });
}

export function aboutIn(given: unknown, complain: Complain): NonNullable<FactsFile['about']> {
  const about = objectIn(given, 'about', 'the deployment, when it was seen and by what', complain);
  known(about, ['target', 'at', 'by'], 'about', ['about'], complain);
  for (const [name, value] of Object.entries(about))
    if (typeof value !== 'string') complain(`${name} of about must be a text, not ${JSON.stringify(value)}.`, ['about', name]);
  if (typeof about.at === 'string' && !isTime(about.at)) complain(`at of about must be ${aTime}`, ['about', 'at']);
  return about;
}

export function wordsIn(given: unknown, complain: Complain): ByClause<string> {
  const words = ofClauses(given, 'unforeseen', 'clauses with what was seen of them', complain);
  for (const [name, told] of words)
    if (typeof told !== 'string')
      complain(`unforeseen must say in words what ${name} was seen as, not ${JSON.stringify(told)}.`, ['unforeseen', name]);
  return Object.fromEntries(words) as ByClause<string>;
}

export function pinnedIn(given: unknown, facts: unknown, complain: Complain): ByClause<string> {
  const pinned = ofClauses(given, 'pinned', 'clauses with the time when each was chosen', complain);
  for (const [name, at] of pinned) {
    const path = ['pinned', name];
    if (!isTime(at)) complain(`pinned must say when ${name} was chosen, as ${aTime}`, path);
    if (!isObject(facts) || !Object.hasOwn(facts, name)) complain(`${name} is pinned, and facts has no reading of it.`, path);
  }
  return Object.fromEntries(pinned) as ByClause<string>;
}

export function sightingsIn(given: unknown, complain: Complain): ByClause<Sighting> {
  const seen = ofClauses(given, 'seen', 'clauses with when each was seen', complain);
  for (const [name, sighting] of seen) {
    const path = ['seen', name];
    if (!isObject(sighting)) {
      complain(`seen must say when ${name} was seen: { at: ${example} }.`, path);
      continue;
    }
    known(sighting, ['at', 'as', 'wire', 'evidence'], `what was seen of ${name}`, path, complain);
    if (!isTime(sighting.at)) complain(`at of ${name} must be ${aTime}`, [...path, 'at']);
    if (sighting.as !== undefined && typeof sighting.as !== 'string')
      complain(`as of ${name} must be what was seen, in words.`, [...path, 'as']);
    rowsIn(sighting.wire, complain, [...path, 'wire'], `what was seen of ${name}`);
    evidenceIn(sighting.evidence, name, complain);
  }
  return Object.fromEntries(seen) as unknown as ByClause<Sighting>;
}

const ofEvidence = { method: 'string', path: 'string', status: 'number', body: 'string' } as const;

function evidenceIn(given: unknown, name: string, complain: Complain): void {
  if (given === undefined) return;
  const path = ['seen', name, 'evidence'];
  const isExchange = (value: unknown) =>
    isObject(value) && Object.entries(ofEvidence).every(([part, type]) => typeof value[part] === type);
  if (!Array.isArray(given)) complain(`evidence of ${name} must be a list of exchanges.`, path);
  else
    for (const [index, each] of given.entries()) {
      if (!isExchange(each))
        complain(`exchange ${index + 1} of ${name} must have a method, a path, a status and a body.`, [...path, index]);
      else known(each as JsonObject, Object.keys(ofEvidence), `an exchange of ${name}`, [...path, index], complain);
    }
}

/** What a part says of clauses that ask something. */
function ofClauses(given: unknown, part: string, what: string, complain: Complain): [name: ClauseName, value: unknown][] {
  return Object.entries(objectIn(given, part, what, complain)).flatMap(([name, value]): [ClauseName, unknown][] => {
    const problem = unaskable(name);
    if (problem === undefined) return [[name as ClauseName, value]];
    complain(problem, [part, name]);
    return [];
  });
}

function objectIn(given: unknown = {}, part: string, what: string, complain: Complain): JsonObject {
  if (isObject(given)) return given;
  complain(`${part} must name ${what}, not be ${JSON.stringify(given)}.`, [part]);
  return {};
}

function known(given: JsonObject, names: readonly string[], what: string, path: Path, complain: Complain): void {
  for (const name of Object.keys(given).filter((each) => !names.includes(each)))
    complain(`"${name}" is no part of ${what}; it takes ${names.join(', ')}.${didYouMean(name, names)}`, [...path, name]);
}

const example = '2026-01-31T12:00:00Z';
const aTime = `a time such as ${example}.`;
const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));
