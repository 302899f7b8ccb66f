import type { JsonObject } from '../../openapi/document.ts';
import { schemaOfType } from './schema-of-type.ts';

/** The generated files of conformance: the schemas of its files, from the types that the suite uses. */
export function conformanceSchemas(): Record<string, string> {
  return {
    'results.schema.json': published(
      'conformance/report/result-file.ts',
      'ResultFile',
      'A result of the conformance suite (results.json)',
    ),
    'ledger.schema.json': published('conformance/safety/ledger-lines.ts', 'LedgerLine', 'A line of a ledger'),
    'profile.schema.json': jsonText(profileSchema()),
  };
}

/** The schema of a file that other versions may have written: it may have more properties and other clause names. */
function published(file: string, type: string, title: string): string {
  const { $schema = '', ...rest } = schemaOfType(file, type, { open: true, definitions: true, strings: ['ClauseName'] });
  return jsonText({ $schema, title, $comment: commentOf(file), ...rest });
}

const PROFILE = 'conformance/core/target.ts';

function profileSchema(): JsonObject {
  const { $schema = '', properties, ...rest } = schemaOfType(PROFILE, 'Profile', { open: false });
  const title = 'What a target of the conformance suite offers in addition to address and key (--profile FILE)';
  const schemaProperty = { $schema: { type: 'string', description: 'Where an editor finds this schema.' } };
  return { $schema, title, $comment: commentOf(PROFILE), ...rest, properties: { ...schemaProperty, ...(properties as object) } };
}

const commentOf = (file: string) => `By "npm run generate" from ${file}; do not edit.`;
const jsonText = (schema: JsonObject) => `${JSON.stringify(schema, null, 2)}\n`;

interface Described {
  readonly type?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Described>>;
}

/** The text of recipes/conformance/profile.md: every entry of a profile with its meaning. */
export function profileTable(): string {
  const rows = (node: Described, path: string): string[] =>
    Object.entries(node.properties ?? {}).flatMap(([name, entry]) => [
      `| ${path}${name} | ${entry.type ?? 'any'}${path !== '' && node.required?.includes(name) ? ', required' : ''} | ${entry.description ?? ''} |`,
      ...rows(entry, `${path}${name}.`),
    ]);
  return `<!-- By "npm run generate" from conformance/core/target.ts; do not edit. -->
# Profiles

A profile is a JSON file that says what a target offers in addition to address and key (\`--profile FILE\`, or \`GIFTCARD_PROFILE\` for vitest).
Every entry is optional. Without an entry, the suite reports the clauses that need it as untested. [profile.json](profile.json) is the profile of
the mock's default world; \`giftcard-sandbox mock --write-profile FILE\` writes the profile of any world.

| entry | kind | meaning |
| --- | --- | --- |
${rows(profileSchema() as Described, '').join('\n')}
`;
}
