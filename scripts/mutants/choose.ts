import { didYouMean } from '../../openapi/input/closest.ts';
import type { NamedMutant } from './mutant.ts';

/** What was asked for is not there. */
export class UnknownMutant extends Error {}

/** The mutants that are named, each by its name or by its clause for all of that clause, and of one file if that is given; none named are all. Throws UnknownMutant. */
export function chosen(mutants: readonly NamedMutant[], names: readonly string[], file?: string): NamedMutant[] {
  const files = [...new Set(mutants.map((each) => each.file))];
  if (file !== undefined && !files.includes(file))
    throw new UnknownMutant(`No mutant is of the file ${file}.${didYouMean(file, files)}`);
  const known = new Set(mutants.flatMap(({ name, clause }) => [name, clause]));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new UnknownMutant(
      `There is no mutant ${unknown}.${didYouMean(unknown, [...known]) || ' See npm run mutants -- list.'}`,
    );
  const found = mutants.filter(
    (each) =>
      (names.length === 0 || names.includes(each.name) || names.includes(each.clause)) &&
      (file === undefined || each.file === file),
  );
  if (found.length === 0) throw new UnknownMutant(`None of these is of the file ${file}.`);
  return found;
}

/** The one that is named. Throws UnknownMutant for none and for several. */
export function theOne(mutants: readonly NamedMutant[], names: readonly string[]): NamedMutant {
  const [name] = names;
  if (name === undefined) throw new UnknownMutant('Say which to serve: npm run mutants -- serve NAME');
  const [found, ...others] = chosen(mutants, [name]);
  if (!found || others.length > 0)
    throw new UnknownMutant(`${name} has several mutants: ${[found, ...others].map((each) => each?.name).join(', ')}. Name one.`);
  return found;
}
