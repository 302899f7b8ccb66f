import { type JsonObject, operationsOf } from '../document.ts';

/** The parts of a clause that its line shows. */
interface ShownClause {
  readonly level: string;
  readonly text?: string;
  readonly question?: string;
  readonly default?: string;
  readonly behaviors?: Readonly<Record<string, { readonly says?: string } | null>>;
}

/** Returns the line of a clause for an operation's description. The line has the clause's text, or its question and the chosen option. */
export function clauseLine(name: string, clause: ShownClause, option = clause.default ?? ''): string {
  if (clause.level === 'stated') return `- ${oneLine(clause.text ?? '')} \`${name}\``;
  const says = clause.behaviors?.[option]?.says;
  const kind = clause.level === 'open' ? 'Open' : 'Ambiguous';
  return `- *${kind}:* ${oneLine(clause.question ?? '')} Here: ${says ? oneLine(says) : `${option}.`} \`${name}\``;
}

/** Adds the rules of each operation to its description, closed until a reader opens them. `behaviors` has the options that differ from the default. */
export function withRules(document: JsonObject, behaviors: Readonly<Record<string, string>>): JsonObject {
  const clauses = document['x-clauses'] as unknown as Readonly<Record<string, ShownClause>>;
  return withOperations(document, (node) => {
    const names = (node['x-clauses'] ?? []) as string[];
    const lines = names.map((name) => clauseLine(name, clauses[name] as ShownClause, behaviors[name]));
    const rules = `<details><summary>Rules (${lines.length})</summary>\n\n${lines.join('\n')}\n\n</details>`;
    return { ...node, description: `${String(node.description).trimEnd()}\n\n${rules}` };
  });
}

/** Returns the document without the rules and the mock's answers to questions without options, for tools that generate code. */
export function withoutRules({ 'x-clauses': _, 'x-answers': __, ...document }: JsonObject): JsonObject {
  return withOperations(document, ({ 'x-clauses': ___, ...node }) => node);
}

function withOperations(document: JsonObject, change: (node: JsonObject) => JsonObject): JsonObject {
  const paths = structuredClone(document.paths) as Record<string, JsonObject>;
  for (const { path, method, node } of operationsOf({ paths })) Object.assign(paths[path] ?? {}, { [method]: change(node) });
  return { ...document, paths };
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
