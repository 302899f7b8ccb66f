/** A node of the contract as YAML or JSON has it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  node: JsonObject;
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

/** The operations below `paths`; the webhooks' are the receiver's and not among them. */
export function operationsOf(contract: JsonObject): Operation[] {
  const found: Operation[] = [];
  for (const [path, item] of Object.entries(contract.paths as JsonObject)) {
    for (const method of methods) {
      const node = (item as JsonObject)[method];
      if (!isObject(node)) continue;
      if (typeof node.operationId !== 'string')
        throw new Error(`${method.toUpperCase()} ${path} has no operationId; give it one.`);
      found.push({ id: node.operationId, method, path, node });
    }
  }
  return found;
}

/** Follows a `$ref` inside the bundled document; anything else is answered as it is. */
export function resolve(contract: JsonObject, node: Json | undefined): JsonObject {
  let current: Json | undefined = node;
  while (isObject(current) && typeof current.$ref === 'string') {
    const steps = current.$ref.replace(/^#\//, '').split('/');
    let target: Json | undefined = contract;
    for (const step of steps) target = isObject(target) ? target[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
    if (target === undefined) throw new Error(`The reference ${current.$ref} leads nowhere.`);
    current = target;
  }
  if (!isObject(current)) throw new Error(`An object was expected where the contract has ${JSON.stringify(current)}.`);
  return current;
}
