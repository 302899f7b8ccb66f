import ts from 'typescript';

/** Not the beginning of a pattern such as `lists.*`, which stands for many names. */
const nameShaped = /[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+(?![a-z0-9-]|\.\*)/g;

/** Everything in a source that has the shape of a clause name, comments included: a line of the mock may cite its clause in either. */
export function namesIn(source: string): string[] {
  return source.match(nameShaped) ?? [];
}

/** The same in string literals only: a test that merely mentions a clause in a comment does not test it. */
export function namesInStrings(source: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      names.push(...namesIn(node.text));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
  return names;
}
