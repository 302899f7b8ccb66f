import { asObject, type JsonObject, listIn, operationsOf } from '../document.ts';

/** The parts of a rule that its line shows. */
interface ShownRule {
  readonly level: string;
  readonly text?: string;
  readonly question?: string;
  readonly default?: string;
  readonly behaviors?: Readonly<Record<string, { readonly says?: string } | null>>;
}

/** Returns the line of a rule for an operation's description. The line has the rule's text, or its question and the chosen option. */
function ruleLine(name: string, rule: ShownRule, option = rule.default ?? ''): string {
  if (rule.level === 'stated') return `- ${oneLine(rule.text ?? '')} \`${name}\``;
  const says = rule.behaviors?.[option]?.says;
  const kind = rule.level === 'open' ? 'Open' : 'Ambiguous';
  return `- *${kind}:* ${oneLine(rule.question ?? '')} Here: ${says ? oneLine(says) : `${option}.`} \`${name}\``;
}

/** Adds the rules of each operation to its description, closed until a reader opens them. `behaviors` has the options that differ from the default. */
export function addRuleLines(document: JsonObject, behaviors: Readonly<Record<string, string>>): JsonObject {
  const rules = document['x-rules'] as unknown as Readonly<Record<string, ShownRule>>;
  return withOperations(document, (node) => {
    const names = listIn(node['x-rules']).map(String);
    const lines = names.flatMap((name) => (rules[name] ? [ruleLine(name, rules[name], behaviors[name])] : []));
    const details = `<details><summary>Rules (${lines.length})</summary>\n\n${lines.join('\n')}\n\n</details>`;
    return { ...node, description: `${String(node.description).trimEnd()}\n\n${details}` };
  });
}

/** Returns the document without rules, questions and fixed behaviors, for tools that generate code. */
export function withoutRules({ 'x-rules': _, 'x-fixed-behaviors': __, ...document }: JsonObject): JsonObject {
  return withOperations(document, ({ 'x-rules': ___, ...node }) => node);
}

function withOperations(document: JsonObject, change: (node: JsonObject) => JsonObject): JsonObject {
  const paths = asObject(structuredClone(document.paths));
  for (const { path, method, node } of operationsOf({ paths })) Object.assign(asObject(paths[path]), { [method]: change(node) });
  return { ...document, paths };
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
