import type { ErrorObject } from 'ajv';
import { type Path, pointerSteps, valueAt } from './document.ts';
import { didYouMean } from './input/closest.ts';

/** An error of a JSON Schema validator as a sentence. The path leads to the wrong, missing or unknown value. */
export interface SchemaProblem {
  readonly path: Path;
  readonly sentence: string;
  /** The value is absent or null. */
  readonly isMissing: boolean;
}

/** The keywords of a schema that lead to inner schemas. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
}

/** A schema, and a function that resolves its references. If a source is given, messages list the known properties of an object. */
export interface SchemaSource {
  readonly schema: SchemaNode;
  readonly find: (ref: string) => SchemaNode | undefined;
}

/**
 * Returns Ajv's errors about `value` as sentences. Without `value`, the sentences show no values. For an anyOf or oneOf, Ajv reports the errors of
 * every branch. Only the deepest errors are returned, because they belong to the branch that the author meant.
 */
export function schemaProblems(errors: readonly ErrorObject[], value: unknown, source?: SchemaSource): SchemaProblem[] {
  const problems = errors
    .filter((error) => !isShadowed(error, errors))
    .map((error) => {
      const path = pathOf(error.instancePath, value);
      const place = valueAt(value, path);
      const isMissing = error.keyword === 'required' || (error.keyword === 'type' && place === null);
      const property: string | undefined = error.params.additionalProperty ?? error.params.missingProperty;
      const sentence = sentenceOf(error, path, place, source);
      return { path: property === undefined ? path : [...path, property], sentence, isMissing };
    });
  return problems.filter(({ sentence }, index) => problems.findIndex((each) => each.sentence === sentence) === index);
}

function isShadowed({ keyword, instancePath, schemaPath }: ErrorObject, errors: readonly ErrorObject[]): boolean {
  if (keyword === 'if') return errors.length > 1;
  if (!/anyOf|oneOf/.test(schemaPath)) return false;
  const isUnion = keyword === 'anyOf' || keyword === 'oneOf';
  return errors.some(
    (other) => other.instancePath.startsWith(`${instancePath}/`) || (isUnion && other.schemaPath.startsWith(`${schemaPath}/`)),
  );
}

/** Converts a JSON pointer such as `/accounts/0/cards/3` to a path. Positions in arrays become numbers. */
function pathOf(pointer: string, value: unknown): Path {
  const path: (string | number)[] = [];
  for (const step of pointerSteps(pointer)) path.push(Array.isArray(valueAt(value, path)) ? Number(step) : step);
  return path;
}

function propertiesAt(path: Path, { schema, find }: SchemaSource): readonly string[] {
  const resolve = (node: SchemaNode | undefined) => (node?.$ref === undefined ? node : find(node.$ref));
  let node = resolve(schema);
  for (const step of path) {
    const others = typeof node?.additionalProperties === 'object' ? node.additionalProperties : undefined;
    node = resolve(typeof step === 'number' ? node?.items : (node?.properties?.[step] ?? others));
  }
  return Object.keys(node?.properties ?? {}).filter((name) => name !== '$schema');
}

function sentenceOf({ keyword, params, message }: ErrorObject, path: Path, value: unknown, source?: SchemaSource): string {
  const known = source ? propertiesAt(path, source) : [];
  const name = nameOf(path);
  const isShown = value !== undefined && !SECRET.has(name) && (typeof value !== 'object' || value === null);
  const got = isShown ? `, got ${shown(value)}` : '';
  switch (keyword) {
    case 'additionalProperties': {
      const others = known.length === 0 ? ' Remove it.' : ` Known: ${known.join(', ')}.`;
      return `${shown(params.additionalProperty)} is not a known property.${didYouMean(params.additionalProperty, known) || others}`;
    }
    case 'required':
      return `"${params.missingProperty}" is missing.`;
    case 'enum': {
      const allowed = [...new Set((params.allowedValues as unknown[]).map(String))];
      const hint = typeof value === 'string' ? didYouMean(value, allowed) : '';
      if (allowed.length > 30) return `${name} cannot be ${shown(value)}.${hint}`;
      return `${name} must be one of ${allowed.join(', ')}${got}.${hint}`;
    }
    case 'propertyNames':
      return `${shown(params.propertyName)} is not a valid name.`;
    case 'const':
      return `${name} must be ${JSON.stringify(params.allowedValue)}${got}.`;
    case 'type':
      return `${name} must be ${typeName(params.type)}${got}${source ? quotesHint(params.type, value) : ''}.`;
    case 'format':
      return `${name} must be ${formats[params.format] ?? `of the format ${params.format}`}${got}.`;
    case 'pattern':
      return params.pattern === '\\S' ? `${name} must not be blank.` : `${name} must match ${params.pattern}${got}.`;
    case 'maxLength':
      return `${name} must have at most ${params.limit} characters, got ${String(value).length}.`;
    case 'minItems':
    case 'minLength':
    case 'minProperties':
      if (params.limit !== 1) return `${name} ${message}${got}.`;
      return `${name} must not be empty.${keyword === 'minProperties' && known.length > 0 ? ` Known: ${known.join(', ')}.` : ''}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `${name} must be ${comparisons[params.comparison]} ${params.limit}${got}.`;
    default:
      return `${name} ${message}${got}.`;
  }
}

/** Returns a value as JSON. A long text is cut. */
function shown(value: unknown): string {
  return JSON.stringify(typeof value === 'string' && value.length > 200 ? `${value.slice(0, 200)}…` : value);
}

/** Properties whose values are keys or tokens. No message shows these values. */
const SECRET: ReadonlySet<string> = new Set(['key', 'requestHeaderVerificationToken', 'token']);

const comparisons: Readonly<Record<string, string>> = { '<=': 'at most', '>=': 'at least', '<': 'below', '>': 'above' };

const formats: Readonly<Record<string, string>> = {
  'date-time': 'a date and time such as 2030-01-31T12:00:00Z',
  email: 'an email address such as someone@example.com',
  uri: 'a URL such as https://example.com/hook',
  uuid: 'a GUID such as 00000000-0000-4000-8000-000000000001',
  regex: 'a regular expression of at most 1000 characters without look-arounds and back-references',
  currency: 'an ISO 4217 code such as EUR',
  'time-zone': 'an IANA name such as Europe/Lisbon',
  locale: 'a BCP 47 tag such as de-DE',
};

function nameOf(path: Path): string {
  const name = path.at(-1);
  if (name === undefined) return 'the content';
  return typeof name === 'string' ? name : `item ${name + 1}`;
}

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

function typeName(type: string | readonly string[]): string {
  const names = [type].flat().map((each) => types[each] ?? each);
  return names.join(' or ');
}

/** Returns a hint for an unquoted 1234 or true where a string is expected. YAML reads such a text as a number or a boolean. */
function quotesHint(type: string | readonly string[], value: unknown): string {
  const isUnquoted = typeof value === 'number' || typeof value === 'boolean';
  return isUnquoted && [type].flat().includes('string') ? '; put it in quotes' : '';
}
