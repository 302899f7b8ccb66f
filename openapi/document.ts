export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object; otherwise an empty object. */
export function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the members of a value that are objects, with their names. */
export function objectsIn(value: Json | undefined): [name: string, member: JsonObject][] {
  return Object.entries(asObject(value)).flatMap(([name, member]) => (isObject(member) ? [[name, member]] : []));
}

/** Returns the elements of a list; none for any other value. */
export function listIn(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the component schemas by name. */
export function schemasOf(document: JsonObject): JsonObject {
  return asObject(asObject(document.components).schemas);
}

/** The path of a value in a document: property names and positions. */
export type Path = readonly (string | number)[];

/** Returns the value at a path, or undefined. */
export function valueAt(whole: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (node, step) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, step)
        ? (node as Record<string | number, unknown>)[step]
        : undefined,
    whole,
  );
}

/** Returns the unescaped names in a JSON pointer. For `#/paths/~1api`, returns `paths` and `/api`. */
export function pointerSteps(pointer: string): string[] {
  const [, ...steps] = pointer.split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export interface DocumentOperation {
  readonly id: string;
  /** In lower case: `get`. */
  readonly method: string;
  readonly path: string;
  readonly node: JsonObject;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

/** Returns the operations under `paths`. Operations under `webhooks` are not included, because the receiver implements them. */
export function operationsOf(document: JsonObject): DocumentOperation[] {
  return objectsIn(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const node = item[method];
      return isObject(node) ? [{ id: String(node.operationId), method, path, node }] : [];
    }),
  );
}

/** Follows the `$ref` of a node in the bundled document. Returns a node without a reference unchanged. */
export function resolve(document: JsonObject, node: Json | undefined): JsonObject {
  let current: unknown = node;
  while (isObject(current) && typeof current.$ref === 'string') {
    const { $ref } = current;
    current = valueAt(document, pointerSteps($ref));
    if (current === undefined) throw new Error(`The document has no ${$ref}.`);
  }
  if (!isObject(current)) throw new Error(`The document must have an object here, got ${JSON.stringify(current)}.`);
  return current;
}

/** Returns the first response with a 2xx status. */
export function successOf(operation: JsonObject): readonly [status: string, response: JsonObject] {
  const success = objectsIn(operation.responses).find(([status]) => status.startsWith('2'));
  if (!success) throw new Error(`${operation.operationId} has no response with a 2xx status.`);
  return success;
}

/** Returns the parameters of an operation, with references resolved. */
export function parametersIn(document: JsonObject, operation: JsonObject): JsonObject[] {
  return listIn(operation.parameters).map((parameter) => resolve(document, parameter));
}

/** Returns the body schema of an operation's 2xx response. Without a body, returns undefined. */
export function responseSchemaOf(document: JsonObject, operation: JsonObject): Json | undefined {
  return bodySchemaOf(document, successOf(operation)[1]);
}

/** Returns the body schema of a request or response, for the first media type. Without a body, returns undefined. */
export function bodySchemaOf(document: JsonObject, holder: Json | undefined): Json | undefined {
  if (holder === undefined) return undefined;
  return objectsIn(resolve(document, holder).content)[0]?.[1].schema;
}
