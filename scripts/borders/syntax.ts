import ts from 'typescript';

export interface Source {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Something that a file brings in from elsewhere. */
export interface Import {
  readonly line: number;
  /** As written: `../money.ts`, `node:crypto`. */
  readonly from: string;
  /** What is used at run time by name; `*` when it is all of the module, or nobody can tell. Empty when only types are. */
  readonly values: readonly string[];
}

/** A free name in a place where its value is used, with what is read from it: `Date.now`, `new Date()`, `process`. */
export interface Use {
  readonly line: number;
  readonly name: string;
}

const HOSTS = new Set(['globalThis', 'global']);

/** The imports of a file and the names that reach outside it, as its syntax shows them; nothing is resolved. */
export function syntaxOf({ path, text }: Source): { imports: Import[]; uses: Use[] } {
  const file = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('.js') ? ts.ScriptKind.JS : ts.ScriptKind.TS,
  );
  const imports: Import[] = [];
  const uses: Use[] = [];
  const lineOf = (node: ts.Node) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  const visit = (node: ts.Node): void => {
    const imported = importIn(node);
    if (imported) imports.push({ line: lineOf(node), ...imported });
    const name = useIn(node);
    if (name) uses.push({ line: lineOf(node), name });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { imports, uses };
}

function importIn(node: ts.Node): Omit<Import, 'line'> | undefined {
  if (ts.isImportDeclaration(node)) return { from: literal(node.moduleSpecifier), values: valuesOf(node.importClause) };
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    const { exportClause: clause, isTypeOnly } = node;
    const named =
      clause && ts.isNamedExports(clause) ? clause.elements.filter((one) => !one.isTypeOnly).map(originalName) : ['*'];
    return { from: literal(node.moduleSpecifier), values: isTypeOnly ? [] : named };
  }
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
    return { from: literal(node.moduleReference.expression), values: node.isTypeOnly ? [] : ['*'] };
  if (ts.isCallExpression(node) && loads(node.expression)) return { from: literal(node.arguments[0]), values: ['*'] };
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return { from: literal(node.argument.literal), values: [] };
  return undefined;
}

function loads(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require');
}

function valuesOf(clause: ts.ImportClause | undefined): string[] {
  if (!clause) return ['*'];
  if (clause.isTypeOnly) return [];
  const values = clause.name ? ['default'] : [];
  if (!clause.namedBindings) return values;
  if (ts.isNamespaceImport(clause.namedBindings)) return ['*'];
  return [...values, ...clause.namedBindings.elements.filter((one) => !one.isTypeOnly).map(originalName)];
}

function originalName(specifier: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (specifier.propertyName ?? specifier.name).text;
}

/** A path that is put together at run time could be any, and is shown as it stands. */
function literal(node: ts.Node | undefined): string {
  return node && ts.isStringLiteralLike(node) ? node.text : (node?.getText() ?? '');
}

function useIn(node: ts.Node): string | undefined {
  if (!ts.isIdentifier(node) || !isFree(node)) return undefined;
  const whole = HOSTS.has(node.text) ? node.parent : node;
  const name = HOSTS.has(node.text) ? memberOf(node) : node.text;
  if (name === undefined) return undefined;
  if (name === 'Date' || name === 'Math' || name === 'crypto' || name === 'performance') {
    const { parent } = whole;
    if (ts.isNewExpression(parent) && parent.expression === whole) return parent.arguments?.length ? undefined : `new ${name}()`;
    if (ts.isCallExpression(parent) && parent.expression === whole) return `${name}()`;
    const member = memberOf(whole);
    return member === undefined ? undefined : `${name}.${member}`;
  }
  return name;
}

/** `now` of `Date.now` and of `Date['now']`, when the node is what stands before it. */
function memberOf(node: ts.Node): string | undefined {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) return parent.name.text;
  if (ts.isElementAccessExpression(parent) && parent.expression === node) return literal(parent.argumentExpression);
  return undefined;
}

/** Whether an identifier stands for a value from outside, and not for a property, a declaration, a label or a type. */
function isFree(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (
    ts.isQualifiedName(parent) ||
    ts.isTypeReferenceNode(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isExportSpecifier(parent)
  )
    return false;
  if (ts.isTypeQueryNode(parent)) return false;
  const declared = (parent as ts.Node & { readonly name?: ts.Node }).name;
  return declared !== node;
}
