import { bodySchemaOf, type JsonObject, resolve } from '../../openapi/document.ts';
import { DEEPEST, isDeeperThan } from '../../openapi/input/depth.ts';
import { type SchemaNode, schemaProblems } from '../../openapi/schema-errors.ts';
import { jsonObjectIn, parametersOf } from '../contract/contract.ts';
import { operationsIn } from '../contract/operation.ts';
import { type Route, Router } from '../contract/router.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import controlDocument from './generated/control.json' with { type: 'json' };
import { bodies, type OperationId, parameters, type Validate } from './generated/validators.js';
import { largestBodyOf } from './guard.ts';
import { ControlError } from './resources.ts';

const document = controlDocument as unknown as JsonObject;

export const controlOperations = operationsIn<OperationId>(document).map((each) => ({ ...each, path: `/__mock${each.path}` }));
export type ControlOperation = (typeof controlOperations)[number];

export const router = new Router(controlOperations);

/**
 * Converts the values of a request to the document's types, and checks the values. One object has the values of path and query, because no operation
 * has the same name in both. Throws ControlError with the first error.
 */
export function read({ operation, path, query }: Route<ControlOperation>, { target, body }: ServiceRequest) {
  if (body === 'too large')
    throw new ControlError(
      413,
      `The body is larger than ${largestBodyOf(target)} bytes; send less, or keep large accounts with --state.`,
    );
  const known = parametersOf(operation.parameters, path, query);
  const values = { ...Object.fromEntries(new URLSearchParams(query)), ...known };
  const schema = { properties: Object.fromEntries(operation.parameters.map((each) => [each.name, each.schema as SchemaNode])) };
  check(parameters[operation.id], values, schema, 'The address');
  return { path: values, query: values, body: bodyOf(operation, body) };
}

function bodyOf({ id, method, path, node }: ControlOperation, body: Buffer | undefined): unknown {
  const validate = bodies[id];
  if (!validate) {
    if (/^\s*(\{\s*\})?\s*$/.test(body?.toString('utf8') ?? '')) return undefined;
    throw new ControlError(400, `${method} ${path} takes no body; omit the body.`);
  }
  if ((node.requestBody as JsonObject).required !== true && (body?.length ?? 0) === 0) return undefined;
  const value = jsonObjectIn(body);
  if (typeof value === 'string')
    throw new ControlError(400, `The body of ${method} ${path} must be a JSON object, but ${value}.`);
  // readSandboxSnapshot and readAccountSnapshot check the depth of snapshots.
  if (!id.endsWith('Snapshot') && isDeeperThan(DEEPEST, value))
    throw new ControlError(400, `The body of ${method} ${path} is nested deeper than ${DEEPEST} levels; send a flatter body.`);
  check(validate, value, bodySchemaOf(document, node.requestBody) as SchemaNode, 'The body');
  return value;
}

function check(validate: Validate, value: object, schema: SchemaNode, whole: string): void {
  if (validate(value)) return;
  const find = ($ref: string) => resolve(document, { $ref }) as SchemaNode;
  const [problem] = schemaProblems(validate.errors ?? [], value, { schema, find });
  if (!problem) throw new Error(`${whole} does not match its schema, and no error says why.`);
  const within = problem.path.slice(0, -1).map((step) => (typeof step === 'number' ? `#${step + 1}` : step));
  throw new ControlError(400, `${[whole, ...within].join(', ')}: ${problem.sentence}`);
}
