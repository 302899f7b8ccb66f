import { type LineOf, linesOf, parsed, textOf } from '../../openapi/input/text.ts';
import { type SchemaNode, type SchemaSource, schemaProblems } from '../../openapi/schema-errors.ts';
import { accountProblems, worldProblems } from './check.ts';
import { type Account, type AccountFile, type World, WorldFileError, withName, withNames } from './description.ts';
import type * as filled from './generated/filled.ts';
import { type Validate, validateAccount, validateWorld } from './generated/validate-world.js';
import { messageOf, type Problem } from './problem.ts';
import published from './world.schema.json' with { type: 'json' };

const definitions = published.$defs as unknown as Readonly<Record<string, SchemaNode>>;
const find: SchemaSource['find'] = (ref) => definitions[ref.replace('#/$defs/', '')];

/** Reads a YAML or JSON file. Throws WorldFileError with every error in it. */
export async function readWorldFile(path: string): Promise<World> {
  return parseWorld(await textOf(path, 'world file', WorldFileError), path);
}

/** The world that a YAML or JSON text describes; `name` is its name in messages. */
export async function parseWorld(text: string, name = 'the world file'): Promise<World> {
  if (text.trim() === '')
    throw new WorldFileError([`${name} is empty; describe accounts, or leave the world file out for the default world.`]);
  const description = await parsed(text, name, WorldFileError);
  const { value, problems } = filledWorld(description);
  if (problems.length > 0) throw errorOf(problems, description, name, await linesOf(text));
  return withNames(value);
}

/** The world that a value describes, with all defaults filled in. The value stays unchanged. */
export function worldOf(description: unknown, name = 'the world'): World {
  const { value, problems } = filledWorld(description);
  if (problems.length > 0) throw errorOf(problems, description, name);
  return withNames(value);
}

/** The account that a value describes. `id` is used, or called, if the value names none. */
export function accountOf(description: unknown, id: string | (() => string), name = 'The account'): Account {
  const { value, problems } = filledAccount(description);
  if (problems.length > 0) throw errorOf(problems, description, name);
  return withName(value, value.id ?? (typeof id === 'string' ? id : id()));
}

/** One card or automation that a value describes; `around` is the part of its account that it may refer to. */
export function partOf<List extends 'cards' | 'automations'>(
  list: List,
  description: object,
  around: AccountFile,
): Account[List][number] {
  const others = around[list] ?? [];
  const { value, problems } = filledAccount({ ...around, [list]: [...others, description] });
  const ofPart = problems.map(({ path, sentence }) => ({ path: path.slice(2), sentence }));
  if (ofPart.length > 0) throw errorOf(ofPart, description, 'The body');
  return value[list][others.length] as Account[List][number];
}

interface Filled<T> {
  /** The description with the schema's defaults. It has the type only without problems. */
  readonly value: T;
  readonly problems: readonly Problem[];
}

function filledWorld(description: unknown): Filled<filled.World> {
  const value = structuredClone(description) as filled.World;
  const problems = schemaErrors(validateWorld, value, 'World');
  return { value, problems: problems.length > 0 ? problems : worldProblems(withNames(value)) };
}

function filledAccount(description: unknown): Filled<filled.Account> {
  const value = structuredClone(description) as filled.Account;
  const problems = schemaErrors(validateAccount, value, 'Account');
  return { value, problems: problems.length > 0 ? problems : accountProblems(value) };
}

/** Properties of a variant file, with their names in version 0.1. */
const OF_VARIANT = /^"(behaviors|overrides|readings|facts|rows|wire)" is not a known property/;

/** Fills in the schema's defaults on the way. */
function schemaErrors(validate: Validate, value: unknown, definition: 'World' | 'Account'): Problem[] {
  if (validate(value)) return [];
  const problems = schemaProblems(validate.errors ?? [], value, { schema: definitions[definition] as SchemaNode, find });
  return problems.map(({ path, sentence }) => {
    const [, name] = OF_VARIANT.exec(sentence) ?? [];
    if (name === undefined) return { path, sentence };
    return { path, sentence: `"${name}" belongs to a variant file (--variant FILE), under behaviors: or overrides:.` };
  });
}

function errorOf(problems: readonly Problem[], file: unknown, name: string, lineOf: LineOf = () => undefined): WorldFileError {
  const inOrder = problems.toSorted((a, b) => (lineOf(a.path) ?? 0) - (lineOf(b.path) ?? 0));
  return new WorldFileError(inOrder.map((problem) => messageOf(problem, file, name, lineOf)));
}
