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
  /** Whether objects may have properties that their type does not name. */
  readonly open: boolean;
  /** Named types whose values differ by version: any string fits. */
  readonly strings?: readonly string[];
  /** Whether each exported type becomes a definition that other schemas refer to. */
  readonly definitions?: boolean;
}

/**
 * The JSON Schema (2020-12) of an exported type, `file` from the repository's root. Comments of properties become descriptions; `@secret` becomes
 * writeOnly; `@minimum`, `@format` and the like are taken over.
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
    (chain as ChainNodeParser).addNodeParser(new Literals(program.getTypeChecker(), options.strings ?? []));
  });
  const generator = new SchemaGenerator(program, parser, createFormatter(config as never), config as never);
  const generated = JSON.stringify(generator.createSchema(type));
  const adapted = generated.replaceAll('"#/definitions/', '"#/$defs/').replaceAll('"secret":true', '"writeOnly":true');
  const { $schema: _, definitions, ...schema } = JSON.parse(adapted) as JsonObject;
  const $defs = definitions && Object.keys(definitions).length > 0 ? { $defs: definitions } : {};
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, ...$defs };
}

/** The generator reads syntax, and fails on string unions such as `keyof typeof table`. The type checker knows their values. */
class Literals implements SubNodeParser {
  readonly #checker: ts.TypeChecker;
  readonly #strings: readonly string[];

  constructor(checker: ts.TypeChecker, strings: readonly string[]) {
    this.#checker = checker;
    this.#strings = strings;
  }

  supportsNode(node: ts.Node): boolean {
    const isComputed =
      ts.isIndexedAccessTypeNode(node) || (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.KeyOfKeyword);
    return this.#isString(node) || (isComputed && this.#values(node) !== undefined);
  }

  createType(node: ts.Node): StringType | EnumType {
    return this.#isString(node) ? new StringType() : new EnumType(`literals-${node.pos}`, this.#values(node) ?? []);
  }

  #isString(node: ts.Node): boolean {
    return ts.isTypeAliasDeclaration(node) && this.#strings.includes(node.name.text);
  }

  #values(node: ts.Node): string[] | undefined {
    const type = this.#checker.getTypeAtLocation(node);
    const types = type.isUnion() ? type.types : [type];
    return types.every((each) => each.isStringLiteral()) ? types.map(({ value }) => value) : undefined;
  }
}
