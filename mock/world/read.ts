import { type LineOf, parsed, textOf } from '../../openapi/input/text.ts';
import { complaintsAbout, complaintsAboutAccount } from './check.ts';
import type { Account, AccountFile, World } from './description.ts';
import { withName, withNames } from './fill.ts';
import type * as filled from './generated/filled.ts';
import { validateAccount, validateWorld } from './generated/validate-world.js';
import type { Find, SchemaNode } from './known.ts';
import { type Problem, placeOf } from './places.ts';
import { sentencesOf } from './sentences.ts';
import published from './world.schema.json' with { type: 'json' };
import { WorldFileError } from './world-file-error.ts';

export { WorldFileError };

const definitions = published.$defs as unknown as Readonly<Record<string, SchemaNode>>;
const findDefinition: Find = (ref) => definitions[ref.replace('#/$defs/', '')];

/** Reads a file of YAML or JSON. Throws WorldFileError for one that cannot be read or used. */
export async function readWorldFile(path: string): Promise<World> {
  return parseWorld(await textOf(path, 'world file', WorldFileError), path);
}

/** The world that a text of YAML or JSON describes; `name` is what messages call it. */
export async function parseWorld(text: string, name = 'the world file'): Promise<World> {
  if (text.trim() === '')
    throw new WorldFileError([`${name}: it is empty; describe accounts, or leave the world file out for the default world.`]);
  const { value, lineOf } = await parsed(text, name, WorldFileError);
  return worldOf(value, name, lineOf);
}

/** The world that a value describes, with everything filled in. The value itself is left as it is. */
export function worldOf(description: unknown, name = 'the world', lineOf: LineOf = () => undefined): World {
  const world = structuredClone(description) as filled.World;
  const fail = (problems: readonly Problem[], file: object) => {
    if (problems.length === 0) return;
    const inOrder = problems.toSorted((a, b) => (lineOf(a.path) ?? 0) - (lineOf(b.path) ?? 0));
    throw new WorldFileError(inOrder.map((problem) => told(problem, file, name, lineOf)));
  };
  if (!validateWorld(world))
    fail(sentencesOf(validateWorld.errors ?? [], world, definitions.World as SchemaNode, findDefinition), world);
  const named = withNames(world);
  fail(complaintsAbout(named), named);
  return named;
}

/** The account that a value describes; `id` is the one it gets when it names none, or says which, asked only where it is needed. */
export function accountOf(description: unknown, id: string | (() => string), name = 'The account'): Account {
  const account = structuredClone(description) as filled.Account;
  const problems = validateAccount(account)
    ? complaintsAboutAccount(account)
    : sentencesOf(validateAccount.errors ?? [], account, definitions.Account as SchemaNode, findDefinition);
  if (problems.length > 0) throw new WorldFileError(problems.map((problem) => told(problem, account, name, () => undefined)));
  return withName(account, account.id ?? (typeof id === 'string' ? id : id()));
}

/** One card or automation that a value describes; `around` is as much of its account as it may refer to. */
export function partOf<List extends 'cards' | 'automations'>(
  list: List,
  description: object,
  around: AccountFile,
): Account[List][number] {
  const others = around[list] ?? [];
  const account = structuredClone({ ...around, [list]: [...others, description] }) as filled.Account;
  const problems = validateAccount(account)
    ? complaintsAboutAccount(account)
    : sentencesOf(validateAccount.errors ?? [], account, definitions.Account as SchemaNode, findDefinition);
  if (problems.length > 0) {
    const ofPart = problems.map(({ path, sentence }) => ({ path: path.slice(2), sentence }));
    throw new WorldFileError(ofPart.map((problem) => told(problem, description, 'The body', () => undefined)));
  }
  return account[list][others.length] as Account[List][number];
}

function told({ path, sentence, other }: Problem, file: object, name: string, lineOf: LineOf): string {
  const line = lineOf(path);
  const otherLine = other && lineOf(other);
  const place = placeOf(file, path);
  return `${name}${line === undefined ? '' : `, line ${line}`}: ${place === '' ? '' : `${place}: `}${sentence}${otherLine === undefined ? '' : ` The other stands on line ${otherLine}.`}`;
}
