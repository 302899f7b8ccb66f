/** The parts of an operation that a router needs. */
export interface Routed {
  /** The HTTP method in upper case. */
  readonly method: string;
  /** Parameters in braces: /api/GiftCard/GetById/{id}. */
  readonly path: string;
}

/** The operation of a request. Path values and query are not decoded yet. */
export interface Route<Operation> {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
}

/** The segments of all paths as a tree. */
interface Node<Operation> {
  readonly children: Map<string, Node<Operation>>;
  parameter: { readonly name: string; readonly node: Node<Operation> } | undefined;
  readonly operations: Map<string, Operation>;
}

/** Finds the operation of a request. A literal segment wins over a parameter. Paths that differ in letter case or a trailing slash are different. */
export class Router<Operation extends Routed> {
  readonly #root: Node<Operation> = emptyNode();
  /** The nodes before the last segment, by a path without parameters up to there. Most requests have such a path. */
  readonly #parents = new Map<string, Node<Operation>>();

  constructor(operations: Iterable<Operation>) {
    for (const operation of operations) {
      const before = operation.path.slice(0, operation.path.lastIndexOf('/') + 1);
      let [parent, node] = [this.#root, this.#root];
      for (const segment of operation.path.split('/')) [parent, node] = [node, childOf(node, segment)];
      node.operations.set(operation.method, operation);
      if (!before.includes('{')) this.#parents.set(before, parent);
    }
  }

  /** Returns the route. If no operation matches, returns the methods of the path; an unknown path has no methods. HEAD finds the operation of GET. */
  find(method: string, target: string): Route<Operation> | readonly string[] {
    const mark = target.indexOf('?');
    const pathname = mark < 0 ? target : target.slice(0, mark);
    const path: Record<string, string> = {};
    const last = pathname.lastIndexOf('/') + 1;
    const parent = this.#parents.get(pathname.slice(0, last));
    const operations = (parent && operationsAt(parent, pathname, last, path)) ?? operationsAt(this.#root, pathname, 0, path);
    const operation = operations?.get(method === 'HEAD' ? 'GET' : method);
    if (operation) return { operation, path, query: mark < 0 ? '' : target.slice(mark + 1) };
    const methods = [...(operations?.keys() ?? [])];
    return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  }
}

function childOf<Operation>(node: Node<Operation>, segment: string): Node<Operation> {
  const name = /^\{(.+)\}$/.exec(segment)?.[1];
  if (name !== undefined) {
    node.parameter ??= { name, node: emptyNode() };
    if (node.parameter.name !== name)
      throw new Error(`Two paths have the same parameter under different names: ${name} and ${node.parameter.name}.`);
    return node.parameter.node;
  }
  const child = node.children.get(segment) ?? emptyNode<Operation>();
  node.children.set(segment, child);
  return child;
}

function emptyNode<Operation>(): Node<Operation> {
  return { children: new Map(), parameter: undefined, operations: new Map() };
}

/** Returns the operations of the path from `start` on, and adds the path values to `values`. */
function operationsAt<Operation>(
  { children, parameter }: Node<Operation>,
  pathname: string,
  start: number,
  values: Record<string, string>,
): ReadonlyMap<string, Operation> | undefined {
  const slash = pathname.indexOf('/', start);
  const segment = slash < 0 ? pathname.slice(start) : pathname.slice(start, slash);
  const end = (node: Node<Operation>) =>
    slash < 0 ? (node.operations.size > 0 ? node.operations : undefined) : operationsAt(node, pathname, slash + 1, values);
  const literal = children.get(segment);
  const found = literal && end(literal);
  if (found || !parameter || segment === '') return found;
  values[parameter.name] = segment;
  return end(parameter.node);
}

/** Percent-decodes a path value once (http.path-decoding). An invalid encoding stays unchanged. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
