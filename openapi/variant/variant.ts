import { isObject, type JsonObject } from '../document.ts';
import { questions, rowsOf, standardDocument } from '../effective/behaviors.ts';
import { complaintsAbout } from '../effective/complaints.ts';
import { contradictions } from '../effective/contradictions.ts';
import type { Override } from '../effective/overrides.ts';
import { readRow } from '../effective/row-shape.ts';
import { type Behaviors, defaultBehaviors } from '../generated/clauses.ts';
import { didYouMean } from '../input/closest.ts';
import { type LineOf, linesOf, type Path, parsed, textOf } from '../input/text.ts';
import { UnusableInput } from '../input/unusable-input.ts';

/** How a deployment differs from the contract, as a variant file has it. */
export interface VariantFile {
  readonly $schema?: string;
  /** Options of open clauses; every other clause has its default. */
  readonly behaviors?: Partial<Behaviors>;
  /** Names, places, statuses and bodies on the wire, under the names of the contract. */
  readonly overrides?: readonly Override[];
}

/** The same with both parts. */
export interface Variant {
  readonly behaviors: Partial<Behaviors>;
  readonly overrides: readonly Override[];
}

/** A variant that cannot be used. */
export class VariantError extends UnusableInput {
  override readonly name = 'VariantError';
}

/** Reads variant files, YAML or JSON; what a later file says wins. Throws VariantError with everything that is wrong, each with its line. */
export async function readVariant(files: readonly string[]): Promise<Variant> {
  let whole: Variant = { behaviors: {}, overrides: [] };
  for (const file of files) {
    const text = await textOf(file, 'variant file', VariantError);
    const { value } = await parsed(text, file, VariantError);
    const { variant, problems } = checked(value ?? {});
    if (problems.length > 0) throw new VariantError(placed(problems, file, await linesOf(text)));
    whole = merged(whole, variant);
  }
  const conflicts = conflictsOf({ ...defaultBehaviors, ...whole.behaviors }, whole.overrides);
  if (conflicts.length > 0) throw new VariantError(conflicts.map((sentence) => `${files.join(' and ')}: ${sentence}`));
  return whole;
}

/** Checks a value as a variant; `name` is what messages call it. Throws VariantError with everything that is wrong. */
export function checkVariant(given: unknown, name = 'the variant'): Variant {
  const { variant, problems } = checked(given);
  if (problems.length > 0) throw new VariantError(placed(problems, name, () => undefined));
  const conflicts = conflictsOf({ ...defaultBehaviors, ...variant.behaviors }, variant.overrides);
  if (conflicts.length > 0) throw new VariantError(conflicts.map((sentence) => `${name}: ${sentence}`));
  return variant;
}

/** Which of these behaviors and overrides contradict each other, as sentences. */
export function conflictsOf(behaviors: Partial<Behaviors>, overrides: readonly Override[]): string[] {
  const own = overrides.map((row, index) => ({ row, from: `override ${index + 1}` }));
  return contradictions([...rowsOf(behaviors), ...own], standardDocument);
}

/** The option of a clause that a value means, or what is wrong with it. YAML reads 409 and true as a number and a boolean. */
export function optionOf(clause: string, given: unknown): { readonly option: string } | { readonly problem: string } {
  const question = Object.hasOwn(questions, clause) ? questions[clause] : undefined;
  if (!question?.behaviors) return { problem: whyNoOptions(clause, question !== undefined) };
  const option = typeof given === 'number' || typeof given === 'boolean' ? String(given) : given;
  const options = Object.keys(question.behaviors);
  if (typeof option === 'string' && options.includes(option)) return { option };
  const hint = typeof option === 'string' ? didYouMean(option, options) : '';
  return { problem: `${clause} must be one of ${options.join(', ')}, got ${JSON.stringify(given)}.${hint}` };
}

function whyNoOptions(clause: string, isClause: boolean): string {
  if (isClause) return `${clause} has no options.`;
  const answer = (standardDocument['x-answers'] as JsonObject)[clause];
  if (typeof answer === 'string') return `${clause} has no options any more: ${answer}`;
  const hint = didYouMean(clause, Object.keys(defaultBehaviors));
  return `there is no clause ${clause}.${hint || ' GET /__mock/behaviors of the mock, and conformance list, show those with options.'}`;
}

interface Problem {
  readonly sentence: string;
  readonly path: Path;
}

/** Keys of the facts files of 0.1, and what they are called now. */
const RENAMED: Readonly<Record<string, string>> = {
  facts: 'behaviors',
  readings: 'behaviors',
  wire: 'overrides',
  rows: 'overrides',
};
const KEYS = ['behaviors', 'overrides'];

function checked(given: unknown): { readonly variant: Variant; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const complain = (sentence: string, path: Path) => problems.push({ sentence, path });
  const behaviors: Record<string, string> = {};
  const overrides: Override[] = [];
  if (!isObject(given)) {
    complain(`it must be an object of behaviors and overrides, got ${JSON.stringify(given)}.`, []);
    return { variant: { behaviors, overrides }, problems };
  }
  for (const key of Object.keys(given).filter((each) => ![...KEYS, '$schema'].includes(each))) {
    const now = Object.hasOwn(RENAMED, key) ? RENAMED[key] : undefined;
    complain(
      now ? `"${key}" is called ${now} now.` : `"${key}" is not known; it has behaviors and overrides.${didYouMean(key, KEYS)}`,
      [key],
    );
  }
  const { behaviors: chosen = {}, overrides: rows = [] } = given;
  if (!isObject(chosen))
    complain(`behaviors must be an object of clauses with their options, got ${JSON.stringify(chosen)}.`, ['behaviors']);
  else
    for (const [clause, value] of Object.entries(chosen)) {
      const found = optionOf(clause, value);
      if ('option' in found) behaviors[clause] = found.option;
      else complain(found.problem, ['behaviors', clause]);
    }
  if (!Array.isArray(rows)) complain(`overrides must be a list, got ${JSON.stringify(rows)}.`, ['overrides']);
  else
    for (const [index, each] of rows.entries()) {
      const row = readRow(each);
      const wrong = typeof row === 'string' ? [row] : complaintsAbout(row, standardDocument);
      for (const sentence of wrong) complain(`override ${index + 1}: ${sentence}`, ['overrides', index]);
      if (typeof row !== 'string' && wrong.length === 0) overrides.push(row);
    }
  return { variant: { behaviors, overrides }, problems };
}

/** Two overrides of one thing: the later one stays. A move and a rename both say where a property is. */
function merged(first: Variant, second: Variant): Variant {
  const aboutOf = (row: Override) => {
    const [kind = '', target] = Object.entries(row)[0] ?? [];
    return kind === 'schema' ? JSON.stringify(row) : `${kind === 'move' ? 'rename' : kind} ${target}`;
  };
  const overrides = new Map([...first.overrides, ...second.overrides].map((row) => [aboutOf(row), row]));
  return { behaviors: { ...first.behaviors, ...second.behaviors }, overrides: [...overrides.values()] };
}

function placed(problems: readonly Problem[], name: string, lineOf: LineOf): string[] {
  return problems
    .map(({ sentence, path }) => ({ sentence, line: lineOf(path) }))
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
    .map(({ sentence, line }) => `${name}${line === undefined ? '' : `, line ${line}`}: ${sentence}`);
}
