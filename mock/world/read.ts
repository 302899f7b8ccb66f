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
  const value = await parsed(text, name, WorldFileError);
  const { world, problems } = checkedWorld(value);
  if (problems.length > 0) throw errorOf(problems, value, name, await linesOf(text));
  return world;
}

/** The world that a value describes, with all defaults filled in. The value stays unchanged. */
export function worldOf(description: unknown, name = 'the world'): World {
  const { world, problems } = checkedWorld(description);
  if (problems.length > 0) throw errorOf(problems, description, name);
  return world;
}

function checkedWorld(description: unknown): { readonly world: World; readonly problems: readonly Problem[] } {
  const value = structuredClone(description);
  const problems = schemaErrors(validateWorld, value, 'World');
  const world = problems.length === 0 ? withNames(value as filled.World) : { accounts: [] };
  return { world, problems: problems.length === 0 ? worldProblems(world) : problems };
}

/** The account that a value describes. `id` is used, or called, if the value names none. */
export function accountOf(description: unknown, id: string | (() => string), name = 'The account'): Account {
  const account = checkedAccount(description, ({ problems, value }) => errorOf(problems, value, name));
  return withName(account, account.id ?? (typeof id === 'string' ? id : id()));
}

/** One card or automation that a value describes; `around` is the part of its account that it may refer to. */
export function partOf<List extends 'cards' | 'automations'>(
  list: List,
  description: object,
  around: AccountFile,
): Account[List][number] {
  const others = around[list] ?? [];
  const account = checkedAccount({ ...around, [list]: [...others, description] }, ({ problems }) => {
    const ofPart = problems.map(({ path, sentence }) => ({ path: path.slice(2), sentence }));
    return errorOf(ofPart, description, 'The body');
  });
  return account[list][others.length] as Account[List][number];
}

function checkedAccount(
  description: unknown,
  toError: (wrong: { readonly problems: readonly Problem[]; readonly value: unknown }) => Error,
): filled.Account {
  const value = structuredClone(description);
  const errors = schemaErrors(validateAccount, value, 'Account');
  const problems = errors.length === 0 ? accountProblems(value as filled.Account) : errors;
  if (problems.length > 0) throw toError({ problems, value });
  return value as filled.Account;
}

/** Properties that belong to a variant file, with their names in version 0.1. */
const MOVED: Readonly<Record<string, string>> = {
  behaviors: 'It belongs to a variant file (--variant FILE).',
  overrides: 'It belongs to a variant file (--variant FILE).',
  readings: 'They are called behaviors: put them under behaviors: in a variant file (--variant FILE).',
  facts: 'They are called behaviors: put them under behaviors: in a variant file (--variant FILE).',
  rows: 'They are called overrides: put them under overrides: in a variant file (--variant FILE).',
  wire: 'They are called overrides: put them under overrides: in a variant file (--variant FILE).',
};

/** Fills in the schema's defaults on the way. */
function schemaErrors(validate: Validate, value: unknown, definition: 'World' | 'Account'): Problem[] {
  if (validate(value)) return [];
  const problems = schemaProblems(validate.errors ?? [], value, { schema: definitions[definition] as SchemaNode, find });
  return problems.map(({ path, sentence }) => {
    const [, name = ''] = /^"(\w+)" is not a known property\./.exec(sentence) ?? [];
    const moved = Object.hasOwn(MOVED, name) ? MOVED[name] : undefined;
    return { path, sentence: moved === undefined ? sentence : `"${name}" is not a property of a world. ${moved}` };
  });
}

function errorOf(problems: readonly Problem[], file: unknown, name: string, lineOf: LineOf = () => undefined): WorldFileError {
  const inOrder = problems.toSorted((a, b) => (lineOf(a.path) ?? 0) - (lineOf(b.path) ?? 0));
  return new WorldFileError(inOrder.map((problem) => messageOf(problem, file, name, lineOf)));
}
