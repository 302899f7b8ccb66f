import type { JsonObject } from '../../openapi/document.ts';
import { jsonText } from './document-files.ts';
import { schemaOfType } from './schema-of-type.ts';

/** Returns the generated files of conformance/: a JSON Schema for each kind of file, made from the types that the suite uses. */
export function conformanceSchemas(): Record<string, string> {
  return {
    'results.schema.json': published('report/result-file.ts', 'ResultFile', 'A result of the conformance suite (results.json)'),
    'ledger.schema.json': published('safety/ledger-lines.ts', 'LedgerLine', 'A line of a ledger'),
    'record.schema.json': published('proxy/record.ts', 'RecordLine', 'A line of a record of the proxy'),
    'profile.schema.json': jsonText(profileSchema()),
  };
}

const commentOf = (file: string) => `By "npm run generate" from conformance/${file}; do not edit.`;

/** Returns a schema that allows unknown properties and clause names, because another version may have written the file. */
function published(file: string, type: string, title: string): string {
  const options = { open: true, definitions: true, strings: ['ClauseName'] };
  const { $schema = '', ...rest } = schemaOfType(`conformance/${file}`, type, options);
  return jsonText({ $schema, title, $comment: commentOf(file), ...rest });
}

export function profileSchema(): JsonObject {
  const { $schema = '', properties, ...rest } = schemaOfType('conformance/core/target.ts', 'Profile', { open: false });
  const title = 'A profile: facts about a target of the conformance suite, in addition to its address and key (--profile FILE)';
  const own = {
    $schema: { type: 'string', description: 'The path or URL of this schema, for editors.' },
    ...(properties as JsonObject),
  };
  return { $schema, title, $comment: commentOf('core/target.ts'), ...rest, properties: own };
}
