import type { JsonObject } from '../document.ts';
import { optionOverrides, questions, standardDocument } from '../effective/behaviors.ts';
import { aspectsOf, conflictsBetween } from '../effective/conflicts.ts';
import type { Override } from '../effective/overrides.ts';
import { type Behaviors, defaultBehaviors } from '../generated/clauses.ts';
import { validateOverride, validateVariant } from '../generated/validate-variant.js';
import { didYouMean } from '../input/closest.ts';
import { type LineOf, linesOf, type Path, parsed, textOf } from '../input/text.ts';
import { UnusableInput } from '../input/unusable-input.ts';
import { schemaProblems } from '../schema-errors.ts';

/** How a deployment differs from the contract, as a variant file says it. */
export interface VariantFile {
  readonly $schema?: string;
  /** Options of open clauses; every other clause has its default. */
  readonly behaviors?: Partial<Behaviors>;
  /** Names, places, statuses and bodies on the wire, under the names of the contract. */
  readonly overrides?: readonly Override[];
}

/** A checked variant file. */
export interface Variant {
  readonly behaviors: Partial<Behaviors>;
  readonly overrides: readonly Override[];
}

/** A variant that cannot be used. */
export class VariantError extends UnusableInput {
  override readonly name = 'VariantError';
}

/** Reads variant files, YAML or JSON; a later file wins. Throws VariantError with every problem and its line. */
export async function readVariant(files: readonly string[]): Promise<Variant> {
  let whole: Variant = { behaviors: {}, overrides: [] };
  for (const file of files) {
    const text = await textOf(file, 'variant file', VariantError);
    const value = (await parsed(text, file, VariantError)) ?? {};
    const problems = problemsIn(value);
    if (problems.length > 0) throw new VariantError(placed(problems, file, await linesOf(text)));
    whole = merged(whole, variantIn(value as VariantFile));
  }
  return withoutConflicts(whole, files.join(' and '));
}

/** Checks a value as a variant; `name` is its name in messages. Throws VariantError with every problem. */
export function checkVariant(given: unknown, name = 'the variant'): Variant {
  const problems = problemsIn(given);
  if (problems.length > 0) throw new VariantError(placed(problems, name, () => undefined));
  return withoutConflicts(variantIn(given as VariantFile), name);
}

/** Which of these behaviors and overrides contradict each other, as sentences. */
export function conflictsOf(behaviors: Partial<Behaviors>, overrides: readonly Override[]): string[] {
  const own = overrides.map((override, index) => ({ override, from: `override ${index + 1}` }));
  return conflictsBetween([...optionOverrides(behaviors), ...own], standardDocument);
}

/** Why an override cannot be in any contract; undefined if it can. */
export function overrideProblem(override: unknown): string | undefined {
  const [problem] = validateOverride(override) ? [] : schemaProblems(validateOverride.errors ?? [], override);
  return problem && withNearestKey(problem.sentence);
}

interface VariantProblem {
  readonly sentence: string;
  readonly path: Path;
}

function withoutConflicts(variant: Variant, name: string): Variant {
  const conflicts = conflictsOf(variant.behaviors, variant.overrides);
  if (conflicts.length > 0) throw new VariantError(conflicts.map((sentence) => `${name}: ${sentence}`));
  return variant;
}

/** YAML reads 409 and true as a number and a boolean; options are strings. */
function variantIn({ behaviors = {}, overrides = [] }: VariantFile): Variant {
  const options = Object.entries(behaviors).map(([clause, option]) => [clause, String(option)]);
  return { behaviors: Object.fromEntries(options), overrides };
}

function problemsIn(given: unknown): readonly VariantProblem[] {
  if (validateVariant(given)) return [];
  return schemaProblems(validateVariant.errors ?? [], given).map(({ path, sentence }) => ({
    path,
    sentence: betterSentence(path, sentence),
  }));
}

/** Names the remedy where the schema does not know it. */
function betterSentence([key, name]: Path, sentence: string): string {
  if (key === 'overrides') return typeof name === 'number' ? `override ${name + 1}: ${withNearestKey(sentence)}` : sentence;
  if (key === 'behaviors')
    return name === undefined || Object.hasOwn(defaultBehaviors, name) ? sentence : whyNoOptions(String(name));
  return key === undefined || key === '$schema' ? sentence : whyNoKey(String(key));
}

/** Keys of the facts files of 0.1, and their names now. */
const RENAMED = new Map([
  ['facts', 'behaviors'],
  ['readings', 'behaviors'],
  ['wire', 'overrides'],
  ['rows', 'overrides'],
]);

function whyNoKey(key: string): string {
  const now = RENAMED.get(key);
  return now ? `"${key}" is called ${now} now.` : `"${key}" is not known; a variant file has behaviors and overrides.`;
}

function whyNoOptions(clause: string): string {
  if (Object.hasOwn(questions, clause)) return `${clause} has no options.`;
  const answers = standardDocument['x-answers'] as JsonObject;
  if (Object.hasOwn(answers, clause)) return `${clause} has no options any more: ${answers[clause]}`;
  const hint = didYouMean(clause, Object.keys(defaultBehaviors));
  return `${clause} is not a clause.${hint || ' GET /__mock/behaviors and conformance list show the clauses with options.'}`;
}

const OVERRIDE_KEYS = ['rename', 'move', 'wrap', 'status', 'media', 'body', 'schema', 'required', 'to', 'in'];

/** Suggests the nearest key of an override instead of "Leave it out.". A key that another override has gets no suggestion. */
function withNearestKey(text: string): string {
  const [, key = 'to'] = /^"(\w+)" is not a known property\./.exec(text) ?? [];
  return OVERRIDE_KEYS.includes(key) ? text : text.replace(' Leave it out.', (end) => didYouMean(key, OVERRIDE_KEYS) || end);
}

/** The overrides of both; of two that set the same, the second. */
function merged(first: Variant, second: Variant): Variant {
  const set = new Set(second.overrides.flatMap(aspectsOf).map(([aspect]) => aspect));
  const kept = first.overrides.filter((override) => !aspectsOf(override).some(([aspect]) => set.has(aspect)));
  return { behaviors: { ...first.behaviors, ...second.behaviors }, overrides: [...kept, ...second.overrides] };
}

function placed(problems: readonly VariantProblem[], name: string, lineOf: LineOf): string[] {
  return problems
    .map(({ sentence, path }) => ({ sentence, line: lineOf(path) }))
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
    .map(({ sentence, line }) => `${name}${line === undefined ? '' : `, line ${line}`}: ${sentence}`);
}
