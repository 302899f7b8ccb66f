import { isObject } from '../../openapi/document.ts';
import { didYouMean } from '../../openapi/input/closest.ts';
import { type SchemaNode, schemaProblems } from '../../openapi/schema-errors.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import { LARGEST_CONTROL_BODY } from '../server/http.ts';
import { ControlError } from './control-error.ts';
import { bodies, parameters, type Validate } from './generated/validators.js';
import { find, type Operation, type Route } from './route.ts';

/** Path, query and body of a request, as `Input` of an action has them. */
export interface Read {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What a request hands to an action, converted to the document's types and checked. Throws ControlError with the first complaint. */
export function read({ operation, path }: Route, { target, body }: ServiceRequest): Read {
  const given = valuesOf(operation, path, target.slice(target.indexOf('?') + 1 || target.length));
  const schema: SchemaNode = { properties: Object.fromEntries(operation.parameters.map((each) => [each.name, each.schema])) };
  complain(parameters[operation.id], { ...given.path, ...given.query }, schema, 'The address');
  return { ...given, body: bodyOf(operation, body) };
}

function valuesOf(operation: Operation, path: Readonly<Record<string, string>>, queryText: string): Omit<Read, 'body'> {
  const search = new URLSearchParams(queryText);
  const values = { path: {} as Record<string, unknown>, query: {} as Record<string, unknown> };
  for (const parameter of operation.parameters) {
    const { name, schema } = parameter;
    if (parameter.in === 'path') values.path[name] = converted(path[name] ?? '', schema.type);
    else if (search.getAll(name).length > 1)
      throw new ControlError(400, `${name} stands more than once in the query; give it once.`);
    else if (search.has(name)) values.query[name] = converted(search.get(name) as string, schema.type);
    else if (schema.default !== undefined) values.query[name] = schema.default;
  }
  const known = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const unknown = [...search.keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return values;
  const others = known.length === 0 ? ' It takes none.' : ` Known are: ${known.join(', ')}.`;
  throw new ControlError(400, `"${unknown}" is no query parameter of ${operation.path}.${didYouMean(unknown, known) || others}`);
}

/** What is no value of the type stays as it is, so that the check refuses it. */
function converted(raw: string, type: string | readonly string[] | undefined): unknown {
  if ((type === 'integer' || type === 'number') && /^[+-]?\d+(\.\d+)?$/.test(raw)) return Number(raw);
  if (type === 'boolean') return raw === 'true' ? true : raw === 'false' ? false : raw;
  return raw;
}

function bodyOf({ id, method, path, body: wanted }: Operation, body: ServiceRequest['body']): unknown {
  if (body === 'too large')
    throw new ControlError(413, `The body is larger than ${LARGEST_CONTROL_BODY} bytes; send a smaller one.`);
  const text = body?.toString('utf8') ?? '';
  if (text === '') {
    if (wanted?.required) throw new ControlError(400, `The body is missing; ${method} ${path} takes ${shape(wanted.schema)}.`);
    return undefined;
  }
  const value = parsed(text);
  if (!wanted) {
    if (isObject(value) && Object.keys(value).length === 0) return undefined;
    throw new ControlError(400, `${method} ${path} takes no body; leave it out.`);
  }
  if (!isObject(value)) throw new ControlError(400, `The body must be ${shape(wanted.schema)}.`);
  const validate = bodies[id];
  if (validate) complain(validate, value, wanted.schema, 'The body');
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ControlError(400, `The body is not JSON: ${(error as Error).message.replace(/\.$/, '')}.`);
  }
}

/** "a JSON object with amount and, if wanted, notes" */
function shape(schema: SchemaNode): string {
  const { properties = {}, required = [] } = find<SchemaNode & { readonly required?: readonly string[] }>(schema);
  const names = Object.keys(properties);
  return names.length === 0 || names.length > 8 ? 'a JSON object' : `a JSON object of ${list(required, names)}`;
}

function list(required: readonly string[], names: readonly string[]): string {
  const optional = names.filter((name) => !required.includes(name));
  if (optional.length === 0) return required.join(', ');
  return required.length === 0 ? optional.join(', ') : `${required.join(', ')} and, if wanted, ${optional.join(', ')}`;
}

function complain(validate: Validate, value: object, schema: SchemaNode, whole: string): void {
  if (validate(value)) return;
  const [problem] = schemaProblems(validate.errors ?? [], value, { schema, find: ($ref) => find({ $ref }) });
  if (!problem) throw new Error(`${whole} does not fit, and nothing says why.`);
  const within = problem.path.slice(0, -1).map((step) => (typeof step === 'number' ? `#${step + 1}` : step));
  throw new ControlError(400, `${[whole, ...within].join(', ')}: ${problem.sentence}`);
}
