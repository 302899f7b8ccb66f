import { isObject, type JsonObject } from '../document.ts';
import { questions, standardDocument } from '../effective/behaviors.ts';
import { complaintsAbout } from '../effective/complaints.ts';
import { readRow } from '../effective/row-shape.ts';
import type { Row } from '../effective/rows.ts';
import { type Behaviors, defaultBehaviors } from '../generated/clauses.ts';
import { didYouMean } from '../input/closest.ts';
import type { Path } from '../input/text.ts';

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

function objectIn(given: unknown = {}, part: string, what: string, complain: Complain): JsonObject {
  if (isObject(given)) return given;
  complain(`${part} must name ${what}, got ${JSON.stringify(given)}.`, [part]);
  return {};
}
