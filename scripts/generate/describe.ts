import { type JsonObject, operationsOf } from '../../openapi/document.ts';
import { clauseLine } from '../../openapi/effective/clause-lines.ts';
import type { Clauses } from './clauses.ts';

/** Hangs the clauses into the document: all of them at its root, their names at each operation, their texts in its description. */
export function withClauses(contract: JsonObject, clauses: Clauses): JsonObject {
  const document = structuredClone(contract);
  for (const { id, node } of operationsOf(document)) {
    const named = Object.entries(clauses).filter(([, clause]) => clause.operations.includes(id));
    if (named.length === 0) continue;
    node['x-clauses'] = named.map(([name]) => name);
    const bullets = named.map(([name, clause]) => clauseLine(name, clause));
    node.description = `${String(node.description).trimEnd()}\n\n${bullets.join('\n')}`;
  }
  document['x-clauses'] = clauses as unknown as JsonObject;
  return document;
}
