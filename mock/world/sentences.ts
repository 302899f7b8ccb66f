import type { ErrorObject } from 'ajv';
import { didYouMean } from '../../openapi/input/closest.ts';
import { type Find, knownAt, type SchemaNode } from './known.ts';
import { type Path, type Problem, valueAt } from './places.ts';

/** What does not fit a schema, in sentences that name the value and the way out. `file` is the value that was checked against the schema. */
export function sentencesOf(errors: readonly ErrorObject[], file: unknown, schema: SchemaNode, find: Find): Problem[] {
  return errors.map((error) => {
    const path = stepsOf(error.instancePath, file);
    return { path, sentence: sentenceOf(error, path, valueAt(file, path), knownAt(path, schema, find)) };
  });
}

/** `/accounts/0/cards/3` as a path; positions in lists become numbers. */
function stepsOf(pointer: string, file: unknown): Path {
  const steps: (string | number)[] = [];
  for (const text of pointer.split('/').slice(1)) {
    const step = text.replaceAll('~1', '/').replaceAll('~0', '~');
    steps.push(Array.isArray(valueAt(file, steps)) ? Number(step) : step);
  }
  return steps;
}

function sentenceOf({ keyword, params, message }: ErrorObject, path: Path, value: unknown, known: readonly string[]): string {
  const about = subject(path, value);
  switch (keyword) {
    case 'additionalProperties': {
      const others = known.length === 0 ? ' None is known.' : ` Known are: ${known.join(', ')}.`;
      const hint = didYouMean(params.additionalProperty, known) || others;
      return `"${params.additionalProperty}" is no property of it.${hint}`;
    }
    case 'required':
      return `it lacks "${params.missingProperty}"; give it one.`;
    case 'enum': {
      const allowed = (params.allowedValues as unknown[]).map(String);
      return `${about} must be one of ${allowed.join(', ')}.${typeof value === 'string' ? didYouMean(value, allowed) : ''}`;
    }
    case 'type':
      return `${about} must be ${nameOfType(params.type)}${unquoted(params.type, value)}.`;
    case 'format':
      return `${about} ${formats[params.format] ?? `is no ${params.format}`}.`;
    case 'pattern':
      return params.pattern === '\\S' ? `${about} says nothing; give it letters.` : `${about} must fit ${params.pattern}.`;
    case 'minItems':
    case 'minLength':
      return `${about} must not be empty; leave it out for its default.`;
    case 'minProperties':
      return `${what(path)} must not be empty; known are: ${known.join(', ')}.`;
    default:
      return `${about} ${message}.`;
  }
}

const formats: Readonly<Record<string, string>> = {
  'date-time': 'is no moment, such as 2030-01-31T12:00:00Z',
  email: 'is no e-mail address, such as someone@example.com',
  uri: 'is no URL, such as https://example.com/hook',
  uuid: 'is no GUID, such as 00000000-0000-4000-8000-000000000001',
  regex: 'is no regular expression that can be read',
};

/** What a sentence begins with: the property and what it holds. Keys and tokens are named, not shown. */
function subject(path: Path, value: unknown): string {
  const name = what(path);
  if (name === 'key' || name === 'requestHeaderVerificationToken') return name;
  return typeof value === 'object' && value !== null ? name : `${name} ${JSON.stringify(value)}`;
}

function what(path: Path): string {
  const name = path.at(-1);
  return name === undefined ? 'the content' : typeof name === 'string' ? name : 'it';
}

function nameOfType(type: string | readonly string[]): string {
  const names: Readonly<Record<string, string>> = {
    string: 'a text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'a set of properties',
    null: 'null',
  };
  return [type]
    .flat()
    .map((each) => names[each] ?? each)
    .join(' or ');
}

/** YAML reads 1234 and true as what they look like, which surprises where a code was meant. */
function unquoted(type: string | readonly string[], value: unknown): string {
  return [type].flat().includes('string') && (typeof value === 'number' || typeof value === 'boolean')
    ? '; put it in quotes'
    : '';
}
