/** A node of an OpenAPI document. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface DocumentOperation {
  readonly id: string;
  /** In small letters, as the document writes it. */
  readonly method: string;
  readonly path: string;
  readonly node: JsonObject;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

/** The operations under `paths`. The operations under `webhooks` belong to the receiver. */
export function operationsOf(document: JsonObject): DocumentOperation[] {
  return Object.entries(document.paths as Record<string, JsonObject>).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const node = item[method];
      if (!isObject(node)) return [];
      if (typeof node.operationId !== 'string')
        throw new Error(`${method.toUpperCase()} ${path} has no operationId; give it one.`);
      return [{ id: node.operationId, method, path, node }];
    }),
  );
}

/** The object that a `$ref` of the bundled document points to. A node without a reference is returned unchanged. */
export function resolve(document: JsonObject, node: Json | undefined): JsonObject {
  let current: Json | undefined = node;
  while (isObject(current) && typeof current.$ref === 'string') {
    const steps = current.$ref.replace(/^#\//, '').split('/');
    let target: Json | undefined = document;
    for (const step of steps) target = isObject(target) ? target[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
    if (target === undefined) throw new Error(`The document has no ${current.$ref}.`);
    current = target;
  }
  if (!isObject(current)) throw new Error(`The document must have an object here, got ${JSON.stringify(current)}.`);
  return current;
}

/** The first response with a 2xx status. */
export function successOf(operation: JsonObject): readonly [status: string, response: JsonObject] {
  const success = Object.entries(operation.responses as Record<string, JsonObject>).find(([status]) => status.startsWith('2'));
  if (!success) throw new Error(`${operation.operationId} has no response with a 2xx status.`);
  return success;
}

/** The schema of a request's or response's body, of the first media type; undefined without a body. */
export function bodySchemaOf(document: JsonObject, holder: Json | undefined): Json | undefined {
  if (holder === undefined) return undefined;
  const content = resolve(document, holder).content as Record<string, JsonObject> | undefined;
  return Object.values(content ?? {})[0]?.schema;
}
