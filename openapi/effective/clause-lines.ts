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

/** Replaces the options in the descriptions of the operations. `behaviors` has only the options that differ from the default. */
export function withBehaviors(document: JsonObject, behaviors: Readonly<Record<string, string>>): JsonObject {
  const clauses = document['x-clauses'] as unknown as Readonly<Record<string, ShownClause>>;
  const paths = structuredClone(document.paths) as JsonObject;
  for (const { node } of operationsOf({ paths })) {
    const lines = String(node.description).split('\n');
    const changed = lines.map((line) => {
      const name = line.startsWith('- *') ? (/ `([\w.-]+)`$/.exec(line)?.[1] ?? '') : '';
      const clause = name in behaviors ? clauses[name] : undefined;
      return clause ? clauseLine(name, clause, behaviors[name]) : line;
    });
    node.description = changed.join('\n');
  }
  return { ...document, paths };
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
