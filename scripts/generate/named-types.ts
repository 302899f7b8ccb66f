import ts from 'typescript';

const { factory } = ts;

/**
 * Gives each schema in the output of openapi-typescript a declaration of its own, because an editor shows the name of an interface, but all properties
 * of `components['schemas']['Email']`. A schema in `imported` gets no declaration.
 */
export function withNamedSchemas(nodes: readonly ts.Node[], imported: readonly string[]): ts.Node[] {
  const schemas = schemasIn(nodes);
  const named = new Set(schemas.map(nameOf));
  const toName = (node: ts.Node): ts.Node => {
    const name = ts.isIndexedAccessTypeNode(node) ? schemaNamed(node) : undefined;
    return name !== undefined && named.has(name)
      ? factory.createTypeReferenceNode(name)
      : ts.visitEachChild(node, toName, undefined);
  };
  const declared = schemas.filter((each) => !imported.includes(nameOf(each))).map(declarationOf);
  const references = new Map<ts.Node, ts.Node>(
    schemas.map((each) => [each, factory.updatePropertySignature(each, each.modifiers, each.name, undefined, reference(each))]),
  );
  const toReference = (node: ts.Node): ts.Node => references.get(node) ?? ts.visitEachChild(node, toReference, undefined);
  // The aliases are empty types, such as webhooks of a document without webhooks.
  const others = nodes.filter((node) => !ts.isTypeAliasDeclaration(node));
  // In a document without operations, `components` only repeats the declarations.
  return [...declared, ...(others.length > 1 ? others.map(toReference) : [])].map(toName);
}

function schemasIn(nodes: readonly ts.Node[]): ts.PropertySignature[] {
  const isCalled = (name: string) => (node: { readonly name?: ts.Node | undefined }) =>
    node.name !== undefined && ts.isIdentifier(node.name) && node.name.text === name;
  const components = nodes.filter(ts.isInterfaceDeclaration).find(isCalled('components'));
  const schemas = components?.members.filter(ts.isPropertySignature).find(isCalled('schemas'));
  return schemas?.type && ts.isTypeLiteralNode(schemas.type) ? schemas.type.members.filter(ts.isPropertySignature) : [];
}

/** Returns an interface for an object, and an alias for any other type. */
function declarationOf(schema: ts.PropertySignature): ts.Node {
  const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const type = schema.type as ts.TypeNode;
  const declaration = ts.isTypeLiteralNode(type)
    ? factory.createInterfaceDeclaration(exported, nameOf(schema), undefined, undefined, type.members)
    : factory.createTypeAliasDeclaration(exported, nameOf(schema), undefined, type);
  return ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(schema));
}

const nameOf = ({ name }: ts.PropertySignature): string => (name as ts.Identifier).text;
const reference = (schema: ts.PropertySignature) => factory.createTypeReferenceNode(nameOf(schema));

/** Returns X of `components["schemas"]["X"]`. */
function schemaNamed({ objectType, indexType }: ts.IndexedAccessTypeNode): string | undefined {
  const isSchemas = ts.isIndexedAccessTypeNode(objectType) && literal(objectType.indexType) === 'schemas';
  return isSchemas ? literal(indexType) : undefined;
}

function literal(node: ts.TypeNode): string | undefined {
  return ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? node.literal.text : undefined;
}
