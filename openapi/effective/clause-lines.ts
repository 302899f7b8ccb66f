import { isObject, type JsonObject, operationsOf } from '../document.ts';

/** As much of a clause as its line in an operation's description tells. */
interface ToldClause {
  readonly level: string;
  readonly text?: string;
  readonly question?: string;
  readonly default?: string;
  readonly behaviors?: Readonly<Record<string, { readonly says?: string } | null>>;
}

/** The line that tells of a clause: what is stated, or the question and how it is answered here. */
export function clauseLine(name: string, clause: ToldClause, reading = clause.default ?? ''): string {
  if (clause.level === 'stated') return `- ${oneLine(clause.text ?? '')} \`${name}\``;
  const says = clause.behaviors?.[reading]?.says;
  const kind = clause.level === 'open' ? 'Open' : 'Ambiguous';
  return `- *${kind}:* ${oneLine(clause.question ?? '')} Here: ${says ? oneLine(says) : `${reading}.`} \`${name}\``;
}

/** The document with other behaviors in its operations' descriptions; only what changes is copied. `behaviors` are those that differ from the default. */
export function withBehaviors(document: JsonObject, behaviors: Readonly<Record<string, string>>): JsonObject {
  const clauses = document['x-clauses'] as unknown as Readonly<Record<string, ToldClause>>;
  const paths = structuredClone(document.paths) as JsonObject;
  for (const { node } of operationsOf({ paths })) {
    const told = ((node['x-clauses'] ?? []) as string[]).filter((name) => name in behaviors);
    if (told.length === 0 || typeof node.description !== 'string') continue;
    const lines = node.description.split('\n').map((line) => {
      const name = told.find((each) => line.startsWith('- *') && line.endsWith(` \`${each}\``));
      const clause = name === undefined ? undefined : clauses[name];
      return name !== undefined && isObject(clause) ? clauseLine(name, clause as ToldClause, behaviors[name]) : line;
    });
    node.description = lines.join('\n');
  }
  return { ...document, paths };
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
