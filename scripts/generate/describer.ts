import ts from 'typescript';

export type Schema = Record<string, unknown>;

/** The exported type of a file, and what describes types of it. Objects are open where they may have properties that the type does not name. */
export function typeIn(file: string, name: string, { open }: { open: boolean }): { type: ts.Type; describer: Describer } {
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
  const exported = source && checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol);
  const found = exported?.find((each) => each.name === name);
  if (!found) throw new Error(`${file} exports no ${name}.`);
  return { type: checker.getDeclaredTypeOfSymbol(found), describer: new Describer(checker, open) };
}

/** Types as JSON Schema, with what is said of each property; one that is tagged @secret is writeOnly. */
export class Describer {
  readonly #checker: ts.TypeChecker;
  /** Whether an object may have properties that its type does not name. */
  readonly #open: boolean;
  constructor(checker: ts.TypeChecker, open: boolean) {
    this.#checker = checker;
    this.#open = open;
  }

  of(type: ts.Type): Schema {
    // A file of an earlier or later version may have clauses that this one does not.
    if (type.aliasSymbol?.name === 'ClauseName') return { type: 'string' };
    if (type.flags & ts.TypeFlags.Unknown) return {};
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
    throw new Error(`A schema has no words for the type ${this.#checker.typeToString(type)}.`);
  }

  #union(all: readonly ts.Type[]): Schema {
    // An optional property has no value beside those of its type; it is left out.
    const types = all.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    if (types.every(({ flags }) => flags & ts.TypeFlags.BooleanLiteral)) return { type: 'boolean' };
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
      const isSecret = property.getJsDocTags(this.#checker).some(({ name }) => name === 'secret');
      return [
        property.name,
        { ...(description === '' ? {} : { description }), ...(isSecret ? { writeOnly: true } : {}), ...this.of(declared) },
      ];
    });
    const required = properties.filter((property) => !(property.flags & ts.SymbolFlags.Optional)).map(({ name }) => name);
    const closed = this.#open ? {} : { additionalProperties: false };
    return { type: 'object', required, properties: Object.fromEntries(described), ...closed };
  }
}

function patternOf({ texts }: ts.TemplateLiteralType): string {
  return `^${texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`;
}
