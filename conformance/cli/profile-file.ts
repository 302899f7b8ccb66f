import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { UsageError } from '../../command-line/usage-error.ts';
import { isObject } from '../../openapi/document.ts';
import { readJson } from '../core/files.ts';
import { isSecret, nodeAt, schema } from '../core/profile-schema.ts';
import type { Profile } from '../core/target.ts';

/**
 * Reads a profile file. Throws UsageError with everything that is wrong, a line each, with the entry and the way out; an unknown entry is wrong as
 * well, because a misspelt one would silently leave clauses untested.
 */
export function readProfile(file: string): Profile {
  const read = withoutRemoved(readJson(file, 'profile'));
  validate ??= new Ajv2020({ strict: true, allErrors: true }).compile<Profile & { $schema?: string }>(schema);
  if (!validate(read)) throw new UsageError((validate.errors ?? []).map((error) => sentenceOf(error, read, file)).join('\n'));
  const { $schema: _, ...profile } = read;
  return profile;
}

/** Entries of version 0.1 that no check uses any more; profiles may still have them. */
const removed = ['spareDeletedCode', 'deletedRecipient', 'deletedChannelCard', 'unreachableGift', 'expiringDeletedCard'];
const removedOfClock = ['stop', 'go'];

const withoutRemoved = (profile: unknown): unknown => {
  if (!isObject(profile)) return profile;
  const { clock } = profile;
  return without({ ...profile, ...(isObject(clock) ? { clock: without(clock, removedOfClock) } : {}) }, removed);
};

const without = (value: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

let validate: ValidateFunction<Profile & { $schema?: string }> | undefined;

function sentenceOf({ keyword, params, instancePath, message }: ErrorObject, profile: unknown, file: string): string {
  const steps = instancePath.split('/').slice(1);
  const node = nodeAt(steps);
  const name = steps.join('.');
  const place = name === '' ? `The profile ${file}` : `The profile ${file}: "${name}"`;
  const known = Object.keys(node?.properties ?? {}).filter((each) => each !== '$schema');
  if (keyword === 'additionalProperties')
    return `${place} has an unknown entry "${params.additionalProperty}". Known are: ${known.join(', ')}.`;
  if (keyword === 'required')
    return `${place} lacks "${params.missingProperty}". Add it: ${node?.properties?.[params.missingProperty]?.description ?? 'it is required.'}`;
  if (keyword === 'type' && name === '') return `${place} must be a JSON object.`;
  const value = steps.reduce<unknown>((at, step) => Object(at)[step], profile);
  const problem = keyword === 'type' ? `must be ${kinds[params.type] ?? params.type}` : String(message);
  return `${place} ${problem}, not ${describeValue(steps, value)}. Meaning: ${node?.description ?? name}`;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'a JSON object',
};

const describeValue = (steps: readonly string[], value: unknown) =>
  isSecret(steps) || typeof value === 'object' ? 'a value of another kind' : JSON.stringify(value);
