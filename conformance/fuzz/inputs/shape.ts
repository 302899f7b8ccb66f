import document from '../../../openapi/generated/contract.json' with { type: 'json' };

/** What the contract says of one operation's input, read off its document. */
export interface Shape {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With the name of its parameter in braces, if it has one. */
  readonly path: string;
  readonly query: readonly Field[];
  /** The properties of the JSON body; none where there is no body. */
  readonly body: readonly Field[];
}

export interface Field {
  readonly name: string;
  readonly types: readonly string[];
  readonly format: string | undefined;
  /** Bounds that the contract names, of a number or of a text's length. */
  readonly bounds: readonly number[];
}

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The shape of an operation of the contract. Throws for an id that it does not have. */
export function shapeOf(operationId: string): Shape {
  const paths = document.paths as unknown as Record<string, Record<string, Operation>>;
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId !== operationId) continue;
      const parameters = (operation.parameters ?? []).map((each) => resolved(each) as Parameter);
      const content = operation.requestBody?.content['application/json']?.schema;
      return {
        method: method.toUpperCase() as Shape['method'],
        path,
        query: parameters.filter((each) => each.in === 'query').map(({ name, schema }) => fieldOf(name, schema)),
        body: content ? Object.entries(propertiesOf(content)).map(([name, schema]) => fieldOf(name, schema)) : [],
      };
    }
  }
  throw new Error(`The contract has no operation ${operationId}.`);
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  const { allOf = [], properties = {} } = resolved(schema) as Schema;
  return Object.assign({}, ...allOf.map(propertiesOf), properties) as Record<string, Schema>;
}

function fieldOf(name: string, schema: Schema): Field {
  const { type = 'string', format, minimum, maximum, minLength, maxLength } = resolved(schema) as Schema;
  const bounds = [minimum, maximum, minLength, maxLength].filter((each) => each !== undefined);
  return { name, types: [type].flat(), format, bounds };
}

function resolved<T extends { readonly $ref?: string }>(of: T): unknown {
  if (of.$ref === undefined) return of;
  const names = of.$ref.replace(/^#\//, '').split('/');
  const found = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
  return resolved(found as T);
}
