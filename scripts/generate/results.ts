import { schemaOfType } from './schema-of-type.ts';

/** The text of conformance/generated/results.schema.json: what a result file holds, read off the type that the suite itself writes it by. */
export function resultsSchema(): string {
  const { $schema, ...rest } = schemaOfType('conformance/report/result-file.ts', 'ResultFile', {
    open: true,
    // A result of an earlier version may name clauses that this one does not have.
    definitions: true,
    strings: ['ClauseName'],
  });
  const about = {
    title: 'A result of the conformance suite (results.json)',
    $comment: 'By "npm run generate" from conformance/report/result-file.ts; do not edit.',
  };
  return `${JSON.stringify({ $schema, ...about, ...rest }, null, 2)}
`;
}

/** The text of conformance/generated/ledger.schema.json: a line of a ledger, by which each line is checked when it is read. */
export function ledgerSchema(): string {
  const { $schema, ...rest } = schemaOfType('conformance/safety/ledger-lines.ts', 'LedgerLine', {
    open: true,
    definitions: true,
    strings: ['ClauseName'],
  });
  const about = {
    title: 'A line of a ledger',
    $comment: 'By "npm run generate" from conformance/safety/ledger-lines.ts; do not edit.',
  };
  return `${JSON.stringify({ $schema, ...about, ...rest }, null, 2)}
`;
}

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
# What a profile may say

A JSON file that tells the conformance suite what a target offers beyond address and key (\`--profile FILE\`, or \`GIFTCARD_PROFILE\` for vitest). Everything
may be left out; what an entry would show is then reported as untested. [profile.json](profile.json) is that of the mock's default world;
\`giftcard-sandbox mock --write-profile FILE\` writes that of any.

| entry | kind | meaning |
| --- | --- | --- |
${rows(JSON.parse(profileSchema()) as Described, '').join('\n')}
`;
}

/** The text of conformance/generated/profile.schema.json: what a profile may say of a target, read off the type by which the suite knows it. */
export function profileSchema(): string {
  const { $schema, properties, ...rest } = schemaOfType('conformance/core/target.ts', 'Profile', { open: false });
  const about = {
    title: 'What a target of the conformance suite offers in addition to address and key (--profile FILE)',
    $comment: 'By "npm run generate" from conformance/core/target.ts; do not edit.',
  };
  const schemaProperty = { $schema: { type: 'string', description: 'Where an editor finds this schema.' } };
  return `${JSON.stringify({ $schema, ...about, ...rest, properties: { ...schemaProperty, ...(properties as object) } }, null, 2)}
`;
}
