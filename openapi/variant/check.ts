import { isObject } from '../document.ts';
import { rowsOf, standardDocument } from '../effective/behaviors.ts';
import { contradictions } from '../effective/contradictions.ts';
import type { Row } from '../effective/rows.ts';
import { type Behaviors, defaultBehaviors } from '../generated/clauses.ts';
import { didYouMean } from '../input/closest.ts';
import { type LineOf, linesOf, type Path, parsed, textOf } from '../input/text.ts';
import type { FactsFile } from './facts-file.ts';
import { behaviorsIn, type Complain, rowsIn } from './parts.ts';

/** What a facts file says, with its behaviors as texts. */
export type Facts = FactsFile & { readonly facts: Partial<Behaviors>; readonly wire: readonly Row[] };

/** What is thrown for facts that cannot be used. */
type Unusable = new (problems: readonly string[]) => Error;

/** Reads a facts file of YAML or JSON. Throws what `Unusable` makes of everything that is wrong, each with its line. */
export async function factsIn(path: string, Unusable: Unusable): Promise<Facts> {
  const text = await textOf(path, 'facts file', Unusable);
  if (text.trim() === '') throw new Unusable([`${path}: it is empty; write facts or wire into it, or leave the facts file out.`]);
  const { value } = await parsed(text, path, Unusable);
  const found = checked(value);
  if (found.problems.length > 0) throw new Unusable(told(found.problems, path, await linesOf(text)));
  return found.facts;
}

/** Checks a value as facts; `name` is what messages call it. Throws what `Unusable` makes of everything that is wrong. */
export function factsOf(given: unknown, name: string, Unusable: Unusable): Facts {
  const { facts, problems } = checked(given);
  if (problems.length > 0) throw new Unusable(told(problems, name, () => undefined));
  return facts;
}

/** What cannot go together of these behaviors and rows, as sentences. */
export function clashes(behaviors: Behaviors, ownRows: readonly Row[]): string[] {
  const sourced = ownRows.map((row, index) => ({ row, from: `row ${index + 1} of wire` }));
  return contradictions([...rowsOf(behaviors), ...sourced], standardDocument);
}

interface Problem {
  readonly sentence: string;
  readonly path: Path;
}

function told(problems: readonly Problem[], name: string, lineOf: LineOf): string[] {
  const placed = problems.map(({ sentence, path }) => ({ sentence, line: lineOf(path) }));
  return placed
    .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
    .map(({ sentence, line }) => `${name}${line === undefined ? '' : `, line ${line}`}: ${sentence}`);
}

const parts = ['facts', 'wire', 'pinned', 'unforeseen', 'seen', 'about'];

function checked(given: unknown): { readonly facts: Facts; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const complain: Complain = (sentence, path) => problems.push({ sentence, path });
  if (!isObject(given)) {
    complain('it must be an object of facts and wire.', []);
    return { facts: { facts: {}, wire: [] }, problems };
  }
  for (const key of Object.keys(given).filter((each) => ![...parts, '$schema'].includes(each)))
    complain(
      `"${key}" is no part of it; it takes ${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}.${didYouMean(key, parts)}`,
      [key],
    );
  const behaviors = behaviorsIn(given.facts, complain);
  const wire = rowsIn(given.wire, complain);
  const { about = {}, unforeseen = {}, pinned = {}, seen = {} } = given;
  if (problems.length === 0) for (const sentence of clashes({ ...defaultBehaviors, ...behaviors }, wire)) complain(sentence, []);
  const more = Object.entries({ about, unforeseen, pinned, seen }).filter(([, part]) => Object.keys(part ?? {}).length > 0);
  return { facts: { facts: behaviors, wire, ...Object.fromEntries(more) }, problems };
}
