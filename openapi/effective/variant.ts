import { asObject, type Path } from '../document.ts';
import { type Behaviors, defaultBehaviors } from '../generated/rules.ts';
import { validateOverride, validateVariant } from '../generated/validate-variant.js';
import { didYouMean } from '../input/closest.ts';
import { type LineOf, linesOf, parsed, textOf } from '../input/text.ts';
import { UnusableInput } from '../input/unusable-input.ts';
import { type SchemaProblem, type SchemaSource, schemaProblems } from '../schema-errors.ts';
import { optionOverrides, ruleTable, standardDocument } from './behaviors.ts';
import { aspectsOf, conflictsBetween } from './conflicts.ts';
import type { Override } from './overrides.ts';

/** The differences between a deployment and the contract, as in a variant file. */
export interface VariantFile {
  readonly $schema?: string;
  /** The behavior for each question. A question that is not named has its default. */
  readonly behaviors?: Partial<Behaviors>;
  /** Names, places, statuses and bodies on the wire that differ from the contract. */
  readonly overrides?: readonly Override[];
}

/** A checked variant file. */
export type Variant = Required<Pick<VariantFile, 'behaviors' | 'overrides'>>;

export class VariantError extends UnusableInput {
  override readonly name = 'VariantError';
}

/** Reads variant files in YAML or JSON. If two files set the same value, the later file wins. Throws VariantError with every problem and its line. */
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

/** Checks that a value is a valid variant, and returns the variant. Messages call the value `name`. Throws VariantError with every problem. */
export function checkVariant(given: unknown, name = 'the variant'): Variant {
  const problems = problemsIn(given);
  if (problems.length > 0) throw new VariantError(placed(problems, name, () => undefined));
  return withoutConflicts(variantIn(given as VariantFile), name);
}

/** Returns the contradictions between these behaviors and overrides, as sentences. */
export function conflictsOf(behaviors: Partial<Behaviors>, overrides: readonly Override[]): string[] {
  const own = overrides.map((override, index) => ({ override, from: `override ${index + 1}` }));
  return conflictsBetween([...optionOverrides(behaviors), ...own], standardDocument);
}

/** Returns the reason why an override is invalid. If the override is valid, returns undefined. */
export function overrideProblem(override: unknown): string | undefined {
  return validateOverride(override) ? undefined : schemaProblems(validateOverride.errors ?? [], override)[0]?.sentence;
}

type VariantProblem = Pick<SchemaProblem, 'path' | 'sentence'>;

function withoutConflicts(variant: Variant, name: string): Variant {
  const conflicts = conflictsOf(variant.behaviors, variant.overrides);
  if (conflicts.length > 0) throw new VariantError(conflicts.map((sentence) => `${name}: ${sentence}`));
  return variant;
}

/** Converts options to strings. YAML reads 409 and true as a number and a boolean. */
function variantIn({ behaviors = {}, overrides = [] }: VariantFile): Variant {
  const options = Object.entries(behaviors).map(([rule, option]) => [rule, String(option)]);
  return { behaviors: Object.fromEntries(options), overrides };
}

const OVERRIDE_KEYS = ['rename', 'move', 'wrap', 'status', 'media', 'body', 'schema', 'required', 'to', 'in'];

/** The known properties of an override. A message about an unknown property suggests one of them. */
const source: SchemaSource = {
  schema: { properties: { overrides: { items: { properties: Object.fromEntries(OVERRIDE_KEYS.map((key) => [key, {}])) } } } },
  find: () => undefined,
};

function problemsIn(given: unknown): readonly VariantProblem[] {
  if (validateVariant(given)) return unusableKeysIn(given as VariantFile);
  return schemaProblems(validateVariant.errors ?? [], given, source).map(({ path, sentence }) => {
    return { path, sentence: betterSentence(path, sentence) };
  });
}

/** A reference could lead to a schema that the mock does not have, or to itself. The validator finds the names of Object.prototype in every object. */
const UNUSABLE_KEYS = ['$ref', ...Object.getOwnPropertyNames(Object.prototype)];

function unusableKeysIn({ overrides = [] }: VariantFile): readonly VariantProblem[] {
  return overrides.flatMap((override, index) => {
    const text = 'schema' in override ? JSON.stringify(override.to) : '';
    const key = UNUSABLE_KEYS.find((each) => text.includes(`"${each}":`));
    if (key === undefined) return [];
    const why =
      key === '$ref' ? 'write the schema itself in place of its $ref' : `a schema cannot have the name "${key}"; remove it`;
    return [{ path: ['overrides', index], sentence: `override ${index + 1}: ${why}.` }];
  });
}

/** If a sentence of the schema's validator is about a question or a key, replaces it with a sentence that has a remedy. */
function betterSentence([key, name]: Path, sentence: string): string {
  if (key === 'overrides') return typeof name === 'number' ? `override ${name + 1}: ${sentence}` : sentence;
  if (key === 'behaviors')
    return name === undefined || Object.hasOwn(defaultBehaviors, name) ? sentence : whyNoOptions(String(name));
  return key === undefined || key === '$schema' ? sentence : `"${key}" is not known; a variant file has behaviors and overrides.`;
}

function whyNoOptions(name: string): string {
  if (Object.hasOwn(ruleTable, name)) return `${name} has no options.`;
  const fixedBehaviors = asObject(standardDocument['x-fixed-behaviors']);
  if (Object.hasOwn(fixedBehaviors, name)) return `${name} has no options: ${fixedBehaviors[name]}`;
  const hint = didYouMean(name, Object.keys(defaultBehaviors));
  return `${name} is not a question.${hint || ' GET /__mock/behaviors and conformance list show the questions with their options.'}`;
}

/** Joins two variants. If both set the same value, the second variant wins. */
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
