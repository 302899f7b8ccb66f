/** A value of an OpenAPI document. It names only the parts that the page shows. */
interface Node {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly required?: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly name?: string;
  readonly in?: string;
  readonly schema?: Node;
  readonly content?: Readonly<Record<string, Node>>;
  readonly examples?: Readonly<Record<string, Node>>;
  readonly value?: unknown;
  readonly operationId?: string;
  readonly summary?: string;
  readonly parameters?: readonly Node[];
  readonly requestBody?: Node;
  readonly responses?: Readonly<Record<string, Node>>;
}

export interface Property {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The place of a parameter; undefined for a property of the body. */
  readonly place?: string | undefined;
}

export interface ReferenceOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** One sentence each, in Markdown, with the name of the rule at the end. */
  readonly rules: readonly string[];
  /** Parameters, then the properties of the body. */
  readonly input: readonly Property[];
  /** The properties of a successful response. */
  readonly output: readonly Property[];
  /** The first example of the body; undefined without a body. */
  readonly example: unknown;
  readonly responses: readonly { readonly status: string; readonly text: string }[];
  /** Everything that the search finds, in lower case. */
  readonly text: string;
}

/** Reads the operations of an OpenAPI document whose descriptions end with the rules, as the mock returns it with `rules=true`. */
export function readOperations(document: unknown): ReferenceOperation[] {
  const { paths } = document as { readonly paths: Readonly<Record<string, Readonly<Record<string, Node>>>> };
  const find = (node: Node | undefined): Node => {
    if (node?.$ref === undefined) return node ?? {};
    const steps = node.$ref.slice(2).split('/');
    return find(
      steps.reduce((inner, step) => inner[step] as Record<string, unknown>, document as Record<string, unknown>) as Node,
    );
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, node]) => operationOf(path, method.toUpperCase(), node, find)),
  );
}

type Find = (node: Node | undefined) => Node;

function operationOf(path: string, method: string, node: Node, find: Find): ReferenceOperation {
  const [description = '', ruleText = ''] = (node.description ?? '').split('\n\n<details>');
  const rules = ruleText.split('\n').flatMap((line) => (line.startsWith('- ') ? line.slice(2) : []));
  const parameters = (node.parameters ?? [])
    .map(find)
    .map(({ name = '', in: place, required, schema, description: text = '' }): Property => {
      const { type, description: more = '' } = describe(schema, find);
      return { name, place, type, isRequired: required === true, description: text || more };
    });
  const body = find(node.requestBody).content?.['application/json'];
  const responses = Object.entries(node.responses ?? {}).map(([status, each]) => [status, find(each)] as const);
  const success = responses.find(([status]) => status.startsWith('2'))?.[1].content?.['application/json'];
  const input = [...parameters, ...propertiesOf(body?.schema, find)];
  const operation = {
    id: node.operationId ?? '',
    method,
    path,
    summary: node.summary ?? '',
    description,
    rules,
    input,
    output: propertiesOf(success?.schema, find),
    example: body && find(Object.values(body.examples ?? {})[0]).value,
    responses: responses.map(([status, { description: text = '' }]) => ({ status, text })),
  };
  const words = [method, path, operation.summary, description, ...rules];
  const found = [...input, ...operation.output].flatMap(({ name, description: text }) => [name, text]);
  return { ...operation, text: [...words, ...found].join('\n').toLowerCase() };
}

/** Returns the properties of an object, or of the objects in a list. */
function propertiesOf(schema: Node | undefined, find: Find): Property[] {
  const node = find(schema);
  if (node.items) return propertiesOf(node.items, find);
  const required = Array.isArray(node.required) ? node.required : [];
  return Object.entries(node.properties ?? {}).map(([name, property]) => ({
    name,
    isRequired: required.includes(name),
    ...describe(property, find),
  }));
}

function describe(schema: Node | undefined, find: Find): { readonly type: string; readonly description: string } {
  const { type = 'any', format, enum: values, items, description = '' } = find(schema);
  const join = (types: string | readonly string[]) => [types].flat().join(' or ');
  const list = items ? ` of ${join(find(items).type ?? 'objects')}` : '';
  const detail = values ? `: ${values.map(String).join(', ')}` : format ? ` (${format})` : list;
  return { type: join(type) + detail, description: schema?.description ?? description };
}
