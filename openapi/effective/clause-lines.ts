import { isObject, type JsonObject, operationsOf } from '../document.ts';

/** The parts of a clause that its line shows. */
interface ShownClause {
  readonly level: string;
  readonly text?: string;
  readonly question?: string;
  readonly default?: string;
  readonly behaviors?: Readonly<Record<string, { readonly says?: string } | null>>;
}

/** The line of a clause in an operation's description: its text, or its question and option. */
export function clauseLine(name: string, clause: ShownClause, option = clause.default ?? ''): string {
  if (clause.level === 'stated') return `- ${oneLine(clause.text ?? '')} \`${name}\``;
  const says = clause.behaviors?.[option]?.says;
  const kind = clause.level === 'open' ? 'Open' : 'Ambiguous';
  return `- *${kind}:* ${oneLine(clause.question ?? '')} Here: ${says ? oneLine(says) : `${option}.`} \`${name}\``;
}

/** The document with these behaviors in its operations' descriptions. `behaviors` are those that differ from the default. */
export function withBehaviors(document: JsonObject, behaviors: Readonly<Record<string, string>>): JsonObject {
  const clauses = document['x-clauses'] as unknown as Readonly<Record<string, ShownClause>>;
  const paths = structuredClone(document.paths) as JsonObject;
  for (const { node } of operationsOf({ paths })) {
    const changed = ((node['x-clauses'] ?? []) as string[]).filter((name) => name in behaviors);
    if (changed.length === 0 || typeof node.description !== 'string') continue;
    const lines = node.description.split('\n').map((line) => {
      const name = changed.find((each) => line.startsWith('- *') && line.endsWith(` \`${each}\``));
      const clause = name === undefined ? undefined : clauses[name];
      return name !== undefined && isObject(clause) ? clauseLine(name, clause as ShownClause, behaviors[name]) : line;
    });
    node.description = lines.join('\n');
  }
  return { ...document, paths };
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
