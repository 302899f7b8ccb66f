import { join } from 'node:path';
import { typeIn } from './describer.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** The text of conformance/generated/results.schema.json: what a result file holds, read off the type that the suite itself writes it by. */
export function resultsSchema(root: string): string {
  const { type, describer } = typeIn(join(root, 'conformance/cli/result-file.ts'), 'ResultFile', { open: true });
  const schema = {
    $schema: dialect,
    title: 'What a run of the conformance suite found (results.json)',
    $comment: 'By "npm run generate" from conformance/cli/result-file.ts; do not edit.',
    ...describer.of(type),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** The text of conformance/generated/ledger.schema.json: a line of a ledger, by which each line is checked when it is read. */
export function ledgerSchema(root: string): string {
  const { type, describer } = typeIn(join(root, 'conformance/safety/ledger-lines.ts'), 'LedgerLine', { open: true });
  const schema = {
    $schema: dialect,
    title: 'A line of a ledger',
    $comment: 'By "npm run generate" from conformance/safety/ledger-lines.ts; do not edit.',
    ...describer.of(type),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

interface Described {
  readonly type?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Described>>;
}

/** The text of recipes/conformance/profile.md: every entry of a profile with its meaning. */
export function profileTable(root: string): string {
  const rows = (node: Described, path: string): string[] =>
    Object.entries(node.properties ?? {}).flatMap(([name, entry]) => [
      `| ${path}${name} | ${entry.type ?? 'any'}${path !== '' && node.required?.includes(name) ? ', required' : ''} | ${entry.description ?? ''} |`,
      ...rows(entry, `${path}${name}.`),
    ]);
  return `<!-- By "npm run generate" from conformance/core/target.ts; do not edit. -->
# What a profile may say

A JSON file that tells the conformance suite what a target offers beyond address and key (\`--profile FILE\`, or \`GIFTCARD_PROFILE\` for vitest). Everything
may be left out; what an entry would show is then reported as untested. [profile.json](profile.json) is that of the mock's default world;
\`giftcard-sandbox mock --write-profile FILE\` writes that of any.

| entry | kind | meaning |
| --- | --- | --- |
${rows(JSON.parse(profileSchema(root)) as Described, '').join('\n')}
`;
}

/** The text of conformance/generated/profile.schema.json: what a profile may say of a target, read off the type by which the suite knows it. */
export function profileSchema(root: string): string {
  const { type, describer } = typeIn(join(root, 'conformance/core/target.ts'), 'Profile', { open: false });
  const { properties, ...rest } = describer.of(type);
  const schema = {
    $schema: dialect,
    title: 'What a target of the conformance suite offers beyond address and key (--profile FILE)',
    $comment: 'By "npm run generate" from conformance/core/target.ts; do not edit.',
    ...rest,
    properties: { $schema: { type: 'string', description: 'Where an editor finds this schema.' }, ...(properties as object) },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
