import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import schema from './generated/profile.schema.json' with { type: 'json' };
import { type Profile, UsageError } from './target.ts';

interface Node {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
}

/**
 * Reads a profile file. Throws UsageError with everything that is wrong, a line each, with the entry and the way out; an unknown entry is wrong as
 * well, because a misspelt one would silently leave clauses untested.
 */
export function readProfile(file: string): Profile {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`The profile ${file} could not be read as JSON: ${(error as Error).message}`);
  }
  validate ??= new Ajv2020({ strict: true, allErrors: true }).compile<Profile & { $schema?: string }>(schema);
  if (!validate(read)) throw new UsageError((validate.errors ?? []).map((error) => sentenceOf(error, read, file)).join('\n'));
  const { $schema: _, ...profile } = read;
  return profile;
}

let validate: ValidateFunction<Profile & { $schema?: string }> | undefined;

function sentenceOf({ keyword, params, instancePath, message }: ErrorObject, profile: unknown, file: string): string {
  const steps = instancePath.split('/').slice(1);
  const node = steps.reduce<Node | undefined>((at, step) => at?.properties?.[step], schema as Node);
  const name = steps.join('.');
  const place = name === '' ? `The profile ${file}` : `The profile ${file}: "${name}"`;
  const known = Object.keys(node?.properties ?? {}).filter((each) => each !== '$schema');
  if (keyword === 'additionalProperties')
    return `${place} has an unknown entry "${params.additionalProperty}". Known are: ${known.join(', ')}.`;
  if (keyword === 'required') return `${place} lacks "${params.missingProperty}". Give it: ${told(node, params.missingProperty)}`;
  if (keyword === 'type' && name === '') return `${place} must be a JSON object.`;
  const value = steps.reduce<unknown>((at, step) => Object(at)[step], profile);
  const problem = keyword === 'type' ? `must be ${kinds[params.type] ?? params.type}` : String(message);
  return `${place} ${problem}, not ${shown(name, value)}. It says: ${node?.description ?? name}`;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'a JSON object',
};

const told = (node: Node | undefined, name: string) => node?.properties?.[name]?.description ?? `a value for ${name}.`;

/** What may be a key is not shown. */
const shown = (name: string, value: unknown) =>
  /key/i.test(name) || typeof value === 'object' ? `a value of another kind` : JSON.stringify(value);
