import { join, resolve } from 'node:path';
import {
  type ChainNodeParser,
  createFormatter,
  createParser,
  createProgram,
  EnumType,
  SchemaGenerator,
  StringType,
  type SubNodeParser,
} from 'ts-json-schema-generator';
import ts from 'typescript';
import type { JsonObject } from '../../openapi/document.ts';

const root = resolve(import.meta.dirname, '../..');

interface SchemaOptions {
  /** True if objects may have properties that their type does not name. */
  readonly open: boolean;
  /** Names of types whose values differ by version. Their schemas allow any string. */
  readonly strings?: readonly string[];
  /** If true, each exported type becomes a definition to which other schemas refer. */
  readonly definitions?: boolean;
}

/**
 * Returns the JSON Schema (2020-12) of an exported type. `file` is the path from the repository's root. Comments of properties become descriptions,
 * `@secret` becomes writeOnly, and `@minimum`, `@format` and the like become keywords.
 */
export function schemaOfType(file: string, type: string, options: SchemaOptions): JsonObject {
  const config = {
    path: join(root, file),
    type,
    tsconfig: join(root, 'tsconfig.json'),
    skipTypeCheck: true,
    topRef: false,
    expose: options.definitions ? ('export' as const) : ('none' as const),
    additionalProperties: options.open,
    extraTags: ['secret', 'fraction'],
    sortProps: false,
    functions: 'fail' as const,
    jsDoc: 'extended' as const,
    encodeRefs: false,
  };
  const program = createProgram(config as never);
  const parser = createParser(program, config as never, (chain) => {
    (chain as ChainNodeParser).addNodeParser(literals(program.getTypeChecker(), options.strings ?? []));
  });
  const generator = new SchemaGenerator(program, parser, createFormatter(config as never), config as never);
  const generated = JSON.stringify(generator.createSchema(type));
  const adapted = generated.replaceAll('"#/definitions/', '"#/$defs/').replaceAll('"secret":true', '"writeOnly":true');
  const { $schema: _, definitions, ...schema } = JSON.parse(adapted) as JsonObject;
  const $defs = definitions && Object.keys(definitions).length > 0 ? { $defs: definitions } : {};
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, ...$defs };
}

/** Parses string unions such as `keyof typeof table`. The schema generator cannot compute their values, but the type checker can. */
function literals(checker: ts.TypeChecker, strings: readonly string[]): SubNodeParser {
  const isString = (node: ts.Node) => ts.isTypeAliasDeclaration(node) && strings.includes(node.name.text);
  const isComputed = (node: ts.Node) =>
    ts.isIndexedAccessTypeNode(node) || (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.KeyOfKeyword);
  const valuesOf = (node: ts.Node) => {
    const type = checker.getTypeAtLocation(node);
    const types = type.isUnion() ? type.types : [type];
    return types.every((each) => each.isStringLiteral()) ? types.map(({ value }) => value) : undefined;
  };
  return {
    supportsNode: (node) => isString(node) || (isComputed(node) && valuesOf(node) !== undefined),
    createType: (node) => (isString(node) ? new StringType() : new EnumType(`literals-${node.pos}`, valuesOf(node) ?? [])),
  };
}
