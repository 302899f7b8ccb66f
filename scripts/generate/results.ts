import { join } from 'node:path';
import ts from 'typescript';

type Schema = Record<string, unknown>;

/** The text of conformance/generated/results.schema.json: what a result file holds, read off the type that the suite itself writes it by. */
export function resultsSchema(root: string): string {
  const file = join(root, 'conformance/result.ts');
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  };
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const found =
    source &&
    checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol).find(({ name }) => name === 'RunResult');
  if (!found) throw new Error(`${file} exports no RunResult.`);
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What a run of the conformance suite found (results.json)',
    $comment: 'By "npm run generate" from conformance/result.ts; do not edit.',
    ...new Describer(checker).of(checker.getDeclaredTypeOfSymbol(found)),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

class Describer {
  readonly #checker: ts.TypeChecker;
  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  of(type: ts.Type): Schema {
    // A file of an earlier or later version may have clauses that this one does not.
    if (type.aliasSymbol?.name === 'ClauseName') return { type: 'string' };
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.isStringLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: this.#checker.typeToString(type) === 'true' };
    if (type.flags & ts.TypeFlags.TemplateLiteral) return { type: 'string', pattern: patternOf(type as ts.TemplateLiteralType) };
    if (type.flags & ts.TypeFlags.String) return { type: 'string' };
    if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
    if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
    if (type.isUnion()) return this.#union(type.types);
    if (this.#checker.isArrayType(type))
      return { type: 'array', items: this.of(this.#checker.getTypeArguments(type as ts.TypeReference)[0] as ts.Type) };
    if (type.flags & ts.TypeFlags.Object) return this.#object(type);
    throw new Error(`The schema of results has no words for the type ${this.#checker.typeToString(type)}.`);
  }

  #union(all: readonly ts.Type[]): Schema {
    // An optional property has no value beside those of its type; it is left out.
    const types = all.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    if (types.length === 1) return this.of(types[0] as ts.Type);
    const literals = types.flatMap((type) => (type.isStringLiteral() ? [type.value] : []));
    const others = types.filter((type) => !type.isStringLiteral()).map((type) => this.of(type));
    if (others.length === 0) return { enum: literals };
    return { anyOf: [...(literals.length > 0 ? [{ enum: literals }] : []), ...others] };
  }

  #object(type: ts.Type): Schema {
    const byAnyName = this.#checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (byAnyName) return { type: 'object', additionalProperties: this.of(byAnyName) };
    const properties = this.#checker.getPropertiesOfType(type);
    const described = properties.map((property) => {
      const declared = this.#checker.getTypeOfSymbol(property);
      const description = ts.displayPartsToString(property.getDocumentationComment(this.#checker));
      return [property.name, { ...(description === '' ? {} : { description }), ...this.of(declared) }];
    });
    const required = properties.filter((property) => !(property.flags & ts.SymbolFlags.Optional)).map(({ name }) => name);
    return { type: 'object', required, properties: Object.fromEntries(described) };
  }
}

function patternOf({ texts }: ts.TemplateLiteralType): string {
  return `^${texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`;
}
