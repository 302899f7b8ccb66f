import { type JsonObject, resolve } from '../../openapi/document.ts';
import type { SchemaNode } from '../../openapi/schema-errors.ts';
import { decoded } from '../contract/router.ts';
import document from './generated/control.json' with { type: 'json' };
import type { OperationId } from './generated/validators.js';

/** A path or query parameter, as the document has it. */
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: SchemaNode & { readonly type?: string | readonly string[]; readonly default?: unknown };
}

/** An operation of the control API, as far as answering it needs the document. */
export interface Operation {
  readonly id: OperationId;
  /** In capitals. */
  readonly method: string;
  /** With its parameters in braces, and /__mock before it. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly required: boolean; readonly schema: SchemaNode } | undefined;
  /** What success is answered with. */
  readonly status: number;
  readonly mediaType: string | undefined;
}

export interface Route {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
}

interface OperationObject {
  readonly operationId: OperationId;
  readonly summary: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, { schema: SchemaNode }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

const PREFIX = '/__mock';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation, in the order of the document. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const node = (item as Readonly<Record<string, unknown>>)[method] as OperationObject | undefined;
    return node ? [operationOf(method, path, node)] : [];
  }),
);

function operationOf(method: string, path: string, node: OperationObject): Operation {
  const success = Object.entries(node.responses).find(([status]) => status.startsWith('2'));
  if (!success) throw new Error(`${node.operationId} has no answer that means success.`);
  const [status, { content = {} }] = success;
  const schema = node.requestBody?.content['application/json']?.schema;
  return {
    id: node.operationId,
    method: method.toUpperCase(),
    path: `${PREFIX}${path}`,
    summary: node.summary,
    parameters: (node.parameters ?? []).map((given) => find<Parameter>(given)),
    body: schema && { required: node.requestBody?.required === true, schema },
    status: Number(status),
    mediaType: Object.keys(content)[0],
  };
}

/** What a reference of the document leads to, or the thing itself. */
export function find<T extends object>(given: object): T {
  return resolve(document as unknown as JsonObject, given as JsonObject) as T;
}

/** What a path could mean, one for each method that it takes. Names come before parameters: /accounts/x is no /accounts/{account} where there is an /accounts/x. */
export function routesAt(path: string): readonly Route[] {
  const found = operations.flatMap((operation): Route[] => {
    const values = matched(operation.path, path);
    return values ? [{ operation, path: values }] : [];
  });
  const fewest = Math.min(...found.map((route) => Object.keys(route.path).length));
  return found.filter((route) => Object.keys(route.path).length === fewest);
}

/** The values of the parameters in a path, or undefined when the path is another. */
function matched(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [template.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, step] of wanted.entries()) {
    const text = given[index] as string;
    const name = /^\{(.+)\}$/.exec(step)?.[1];
    if (name === undefined ? text !== step : text === '') return undefined;
    if (name !== undefined) values[name] = decoded(text);
  }
  return values;
}
