import { type JsonObject, resolve } from '../../../openapi/document.ts';

/** What a request's body may hold, as far as reading it leniently needs to know. */
export interface Property {
  /** JSON types; none where the schema names none. */
  readonly types: readonly string[];
  readonly isMoment: boolean;
  /** Of an object with entries of any name, what each of them is. */
  readonly entries: Property | undefined;
}

export type Properties = ReadonlyMap<string, Property>;

type Schema = Readonly<Record<string, unknown>>;

const known = new WeakMap<object, Properties>();

/** Of a schema in the document, or of the one that it refers to. */
export function propertiesOf(schema: unknown, document: object): Properties {
  const { properties = {} } = resolved(schema, document) as { properties?: Schema };
  let found = known.get(properties);
  if (!found) {
    found = new Map(Object.entries(properties).map(([name, each]) => [name, propertyOf(each, document)]));
    known.set(properties, found);
  }
  return found;
}

/** The names of those that hold a date and time. */
export function momentsOf(schema: unknown, document: object): string[] {
  return [...propertiesOf(schema, document)].flatMap(([name, { isMoment }]) => (isMoment ? [name] : []));
}

function propertyOf(schema: unknown, document: object): Property {
  const { type, format, anyOf, additionalProperties } = resolved(schema, document);
  const types = typeof type === 'string' ? [type] : ((type ?? []) as string[]);
  const isMoment = [{ format }, ...((anyOf ?? []) as Schema[])].some((each) => each.format === 'date-time');
  const entries = typeof additionalProperties === 'object' ? propertyOf(additionalProperties, document) : undefined;
  return { types, isMoment, entries };
}

function resolved(schema: unknown, document: object): Schema {
  return resolve(document as JsonObject, schema as JsonObject);
}
