import type { Path } from './places.ts';

/** As much of a schema as is needed to follow a path through it. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
}

/** What a `$ref` leads to. */
export type Find = (ref: string) => SchemaNode | undefined;

/** The properties of the schema that the value at a path follows. */
export function knownAt(path: Path, schema: SchemaNode | undefined, find: Find): readonly string[] {
  const resolve = (node: SchemaNode | undefined) => (node?.$ref === undefined ? node : find(node.$ref));
  let node = resolve(schema);
  for (const step of path) {
    const others = typeof node?.additionalProperties === 'object' ? node.additionalProperties : undefined;
    node = resolve(typeof step === 'number' ? node?.items : (node?.properties?.[step] ?? others));
  }
  return Object.keys(node?.properties ?? {}).filter((name) => name !== '$schema');
}
