import type { ErrorObject } from 'ajv';
import type { Validate } from '../../../openapi/generated/validators.js';

/**
 * What a validator complains of, each as part of a sentence that begins with the name of the field: "pageSize must be <= 50". Of the `body`, where it
 * is given, a property that is null counts as left out where it must not be null.
 */
export function complaints(validate: Validate, whole: string, body?: unknown): string[] {
  const all = ((validate.errors ?? []) as ErrorObject[]).map((error) => missingOf(error, body) ?? complaint(error, whole));
  return all.length === 0 ? [`${whole} is not valid`] : [...new Set(all)];
}

/** Whether a complaint is that something is not there, which is told apart from what is there and wrong. */
export function isMissing(complaint: string): boolean {
  return complaint.endsWith(MISSING);
}

const MISSING = ' is missing';

function missingOf({ keyword, instancePath }: ErrorObject, body: unknown): string | undefined {
  const name = instancePath.slice(1);
  const isNull = keyword === 'type' && (body as Readonly<Record<string, unknown>> | undefined)?.[name] === null;
  return isNull ? `${name}${MISSING}` : undefined;
}

function complaint(error: ErrorObject, whole: string): string {
  if (error.keyword === 'required') return `${error.params.missingProperty}${MISSING}`;
  if (error.keyword === 'additionalProperties') return `${error.params.additionalProperty} is not known here`;
  const where = error.instancePath.slice(1).replaceAll('/', '.') || whole;
  return error.keyword === 'type' ? `${where} must be ${typeNames(error.params.type)}` : `${where} ${error.message}`;
}

/** "a number", "a text or null": types as people say them. */
function typeNames(types: string | readonly string[]): string {
  const spoken: Readonly<Record<string, string>> = {
    string: 'a text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
  };
  return (typeof types === 'string' ? [types] : types).map((type) => spoken[type] ?? type).join(' or ');
}
