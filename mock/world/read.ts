import { type LineOf, linesOf, parsed, textOf } from '../../openapi/input/text.ts';
import { type SchemaNode, type SchemaSource, schemaProblems } from '../../openapi/schema-errors.ts';
import { accountProblems, worldProblems } from './check.ts';
import { type FilledAccount, type World, WorldFileError, withDefaultNames, withName } from './description.ts';
import type { AccountDescription } from './generated/described.ts';
import type * as filled from './generated/filled.ts';
import { type Validate, validateAccount, validateWorld } from './generated/validate-world.js';
import { messageOf, type Problem } from './problem.ts';
import published from './world.schema.json' with { type: 'json' };

const definitions = published.$defs as unknown as Readonly<Record<string, SchemaNode>>;
const find: SchemaSource['find'] = (ref) => definitions[ref.replace('#/$defs/', '')];

/** Reads a YAML or JSON file. Throws WorldFileError with all errors of the file. */
export async function readWorldFile(path: string): Promise<World> {
  return parseWorld(await textOf(path, 'world file', WorldFileError), path);
}

/** Reads a YAML or JSON text. Error messages use `name` for the text. */
export async function parseWorld(text: string, name = 'the world file'): Promise<World> {
  const description = await parsed(text, name, WorldFileError);
  const { value, problems } = filledWorld(description);
  if (problems.length > 0) throw errorOf(problems, description, name, await linesOf(text));
  return withDefaultNames(value);
}

export function worldOf(description: unknown, name = 'the world'): World {
  const { value, problems } = filledWorld(description);
  if (problems.length > 0) throw errorOf(problems, description, name);
  return withDefaultNames(value);
}

/** Reads the description of an account. An account without an ID gets `id`, or the result of `id()`. */
export function readDescription(description: unknown, id: string | (() => string), name = 'The account'): FilledAccount {
  const { value, problems } = filledAccount(description);
  if (problems.length > 0) throw errorOf(problems, description, name);
  return withName(value, value.id ?? (typeof id === 'string' ? id : id()));
}

/** Reads the description of a card or an automation. `around` has the parts of the account to which the description may refer. */
export function readPart<List extends 'cards' | 'automations'>(
  list: List,
  description: object,
  around: AccountDescription,
): FilledAccount[List][number] {
  const others = around[list] ?? [];
  const { value, problems } = filledAccount({ ...around, [list]: [...others, description] });
  const ofPart = problems.map(({ path, sentence }) => ({ path: path.slice(2), sentence }));
  if (ofPart.length > 0) throw errorOf(ofPart, description, 'The body');
  return value[list][others.length] as FilledAccount[List][number];
}

/** A description with the schema's defaults. If there are problems, the value may not have the type. */
interface Filled<T> {
  readonly value: T;
  readonly problems: readonly Problem[];
}

function filledWorld(description: unknown): Filled<filled.World> {
  return fill('World', validateWorld, description, (world: filled.World) => worldProblems(withDefaultNames(world)));
}

function filledAccount(description: unknown): Filled<filled.Account> {
  return fill('Account', validateAccount, description, accountProblems);
}

/** Matches the message about an unknown property, if the property belongs to a variant file. */
const OF_VARIANT = /^"(behaviors|overrides)" is not a known property.*/s;

function fill<T>(
  definition: string,
  validate: Validate,
  description: unknown,
  problemsOf: (value: T) => readonly Problem[],
): Filled<T> {
  const value = structuredClone(description) as T;
  if (validate(value)) return { value, problems: problemsOf(value) };
  const problems = schemaProblems(validate.errors ?? [], value, { schema: definitions[definition] as SchemaNode, find });
  const instead = '"$1" belongs to a variant file (--variant FILE), under behaviors: or overrides:.';
  return { value, problems: problems.map(({ path, sentence }) => ({ path, sentence: sentence.replace(OF_VARIANT, instead) })) };
}

function errorOf(problems: readonly Problem[], file: unknown, name: string, lineOf: LineOf = () => undefined): WorldFileError {
  const inOrder = problems.toSorted((a, b) => (lineOf(a.path) ?? 0) - (lineOf(b.path) ?? 0));
  return new WorldFileError(inOrder.map((problem) => messageOf(problem, file, name, lineOf)));
}
