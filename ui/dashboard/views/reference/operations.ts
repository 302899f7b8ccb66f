/** A value of an OpenAPI document. It names only the parts that the page shows. */
interface Node {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node | boolean;
  readonly allOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly name?: string;
  readonly in?: string;
  readonly schema?: Node;
  readonly content?: Readonly<Record<string, Node>>;
  readonly examples?: Readonly<Record<string, Node>>;
  readonly operationId?: string;
  readonly summary?: string;
  readonly parameters?: readonly Node[];
  readonly requestBody?: Node;
  readonly responses?: Readonly<Record<string, Node>>;
  readonly [limit: string]: unknown;
}

interface Property {
  /** The path of a nested property: `cards[].code`. The values of a map have the name `*`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The place of a parameter; undefined for a property of the body. */
  readonly place?: string | undefined;
}

export interface MessageBody {
  readonly properties: readonly Property[];
  readonly examples: readonly { readonly title: string; readonly value: unknown }[];
}

type ReferenceKind = 'Service' | 'Deliveries' | 'Control API';

export interface ReferenceOperation {
  readonly id: string;
  readonly kind: ReferenceKind;
  readonly method: string;
  /** For a delivery, the topic. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** One sentence each, in Markdown, with the name of the rule at the end. */
  readonly rules: readonly string[];
  /** Parameters, then the properties of the body. */
  readonly input: readonly Property[];
  /** Examples of the body. */
  readonly examples: MessageBody['examples'];
  readonly responses: readonly (MessageBody & { readonly status: string; readonly text: string })[];
  /** Everything that the search finds, in lower case. */
  readonly text: string;
}

/** Reads the operations of an OpenAPI document. In the contract, descriptions end with the rules, as the mock returns them with `rules=true`. */
export function readOperations(document: unknown, kind: ReferenceKind): ReferenceOperation[] {
  const { paths, webhooks } = document as Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Node>>>>>>;
  const find = (node: Node | undefined): Node => {
    if (node?.$ref !== undefined) {
      const steps = node.$ref.slice(2).split('/');
      const found = steps.reduce((inner, step) => inner[step] as Record<string, unknown>, document as Record<string, unknown>);
      return { ...find(found as Node), ...(node.description && { description: node.description }) };
    }
    const parts = [...(node?.allOf ?? []), ...(node?.oneOf ?? [])].map(find);
    if (parts.length === 0) return node ?? {};
    const type = [...new Set(parts.flatMap((part) => part.type ?? []))];
    const properties = Object.assign({}, ...parts.map((part) => part.properties).reverse());
    return { ...Object.assign({}, ...parts.reverse()), ...node, type, properties };
  };
  const read = (items: typeof paths, of: ReferenceKind) =>
    Object.entries(items ?? {}).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { operationId }]) => operationId !== undefined)
        .map(([method, node]) =>
          operationOf(of, of === 'Control API' ? `/__mock${path}` : path, method.toUpperCase(), node, find),
        ),
    );
  return [...read(paths, kind), ...read(webhooks, 'Deliveries')];
}

type Find = (node: Node | undefined) => Node;

function operationOf(kind: ReferenceKind, path: string, method: string, node: Node, find: Find): ReferenceOperation {
  const [description = '', ruleText = ''] = (node.description ?? '').split('\n\n<details>');
  const rules = ruleText.split('\n').flatMap((line) => (line.startsWith('- ') ? line.slice(2) : []));
  const parameters = (node.parameters ?? [])
    .map(find)
    .map(({ name = '', in: place, required, schema, description: text = '', example }): Property => {
      const { type, description: more } = describe({ ...find(schema), ...(example !== undefined && { example }) }, find);
      return { name, place, type, isRequired: required === true, description: text || more };
    });
  const body = bodyOf(node.requestBody, find);
  const input = [...parameters, ...body.properties];
  const responses = Object.entries(node.responses ?? {}).map(([status, each]) => ({
    status,
    text: find(each).description ?? '',
    ...bodyOf(each, find),
  }));
  const { operationId: id = '', summary = '' } = node;
  const found = [...input, ...responses.flatMap(({ properties }) => properties)].flatMap((each) => [each.name, each.description]);
  const text = [method, path, summary, description, ...rules, ...found].join('\n').toLowerCase();
  return { id, kind, method, path, summary, description, rules, input, examples: body.examples, responses, text };
}

/** Returns what a request or a response has as its body. */
function bodyOf(message: Node | undefined, find: Find): MessageBody {
  const content = Object.values(find(message).content ?? {})[0];
  const examples = Object.entries(content?.examples ?? {}).map(([name, each]) => {
    const { summary = name, value } = find(each);
    return { title: summary, value };
  });
  return { properties: propertiesOf(content?.schema, find), examples };
}

/** Returns the properties of an object, or of the objects in a list or map, with the nested ones. */
function propertiesOf(schema: Node | undefined, find: Find, path = ''): Property[] {
  const { items, additionalProperties: values, properties = {}, required } = find(schema);
  if (items) return propertiesOf(items, find, path && `${path.slice(0, -1)}[].`);
  const names = Array.isArray(required) ? required : [];
  const named = Object.entries(properties).flatMap(([name, property]) => [
    { name: path + name, isRequired: names.includes(name), ...describe(property, find) },
    ...propertiesOf(property, find, `${path}${name}.`),
  ]);
  return typeof values === 'object' ? [...named, ...propertiesOf(values, find, `${path}*.`)] : named;
}

const LIMITS = ['const', 'default', 'minimum', 'maximum', 'maxLength', 'pattern', 'example'];

function describe(schema: Node | undefined, find: Find): { readonly type: string; readonly description: string } {
  const node = find(schema);
  const { type = 'any', format, enum: values, items, description = '' } = node;
  const join = (types: string | readonly string[]) => [types].flat().join(' or ');
  const list = items ? ` of ${join(find(items).type ?? 'objects')}` : '';
  const detail = values ? `: ${values.map(String).join(', ')}` : format ? ` (${format})` : list;
  const limits = LIMITS.flatMap((name) => (node[name] === undefined ? [] : `, ${name} ${JSON.stringify(node[name])}`));
  return { type: join(type) + detail + limits.join(''), description };
}
