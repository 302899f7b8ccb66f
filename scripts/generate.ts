import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { llmsText } from '../docs/.vitepress/site.ts';
import type { JsonObject } from '../openapi/document.ts';
import { refusalCodes } from '../openapi/effective/responses.ts';
import { bundle } from './generate/bundle.ts';
import { controlFiles } from './generate/control.ts';
import { documentText, jsonText, listsOf, typesOf } from './generate/document-files.ts';
import { nameQuestions, ruleNames } from './generate/rule-names.ts';
import { readRules, withRules } from './generate/rules.ts';
import { schemaOfType } from './generate/schema-of-type.ts';
import { snapshotFiles } from './generate/snapshot.ts';
import { contractValidators } from './generate/validators.ts';
import { variantSchema } from './generate/variant-schema.ts';
import { worldFiles } from './generate/world.ts';

const root = join(import.meta.dirname, '..');
const openapi = join(root, 'openapi');

function fail(sentences: string[]): never {
  for (const sentence of sentences) process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

const wire = bundle(openapi);
const { rules, problems } = readRules(join(openapi, 'rules'), wire);
if (problems.length > 0) fail(problems);
const fixedBehaviors = parse(readFileSync(join(openapi, 'fixed-behaviors.yaml'), 'utf8')) as Record<string, string>;
const twice = Object.keys(fixedBehaviors).filter((name) => name in rules);
if (twice.length > 0) fail(twice.map((name) => `fixed-behaviors.yaml: ${name} is already a rule; use a name once.`));
const variant = variantSchema(rules, wire);

const ofContract: Record<string, string> = {
  'contract.json': documentText({ ...withRules(wire, rules), 'x-fixed-behaviors': fixedBehaviors }),
  'types.ts': await typesOf(wire, 'the contract'),
  'lists.ts': listsOf(wire, 'the contract', { RefusalCode: [...refusalCodes(wire).all] }),
  'rules.ts': ruleNames(rules, Object.keys(fixedBehaviors)),
  'names.ts': nameQuestions(parse(readFileSync(join(openapi, 'names.yaml'), 'utf8'))),
  'variant.schema.json': jsonText(variant),
  ...(await contractValidators(wire, variant, openapi)),
};

const stale: string[] = [];
/** Is written only with --costs. */
const COSTS = 'costs.json';
const commentOf = (file: string) => `By "npm run generate" from conformance/${file}; do not edit.`;

/** Writes the files of a folder, because later folders are generated from them, and removes other files. With --check, compares them instead. */
function emit(folder: string, texts: Readonly<Record<string, string>>): void {
  mkdirSync(join(root, folder), { recursive: true });
  const present = folder.endsWith('/generated') ? readdirSync(join(root, folder)) : [];
  for (const name of present.filter((each) => !(each in texts) && each !== COSTS)) {
    if (process.argv.includes('--check')) stale.push(join(folder, name));
    else rmSync(join(root, folder, name));
  }
  for (const [name, text] of Object.entries(texts)) {
    const path = join(root, folder, name);
    if (!process.argv.includes('--check')) writeFileSync(path, text);
    else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) stale.push(join(folder, name));
  }
}

emit('openapi/generated', ofContract);
emit('mock/world/generated', await worldFiles(join(root, 'mock/world')));
emit('mock/control/generated', await controlFiles(join(root, 'mock/control/openapi'), wire, join(root, 'mock/world')));
// These schemas are made from types, which import the types above.
emit('mock/store/snapshot/generated', await snapshotFiles(openapi));
emit('conformance/generated', {
  'results.schema.json': published('report/result-file.ts', 'ResultFile', 'A result of the conformance suite (results.json)'),
  'ledger.schema.json': published('safety/ledger-lines.ts', 'LedgerLine', 'A line of a ledger'),
  'record.schema.json': published('proxy/record.ts', 'RecordLine', 'A line of a record of the proxy'),
  'profile.schema.json': jsonText(profileSchema()),
});
emit('.', { 'llms.txt': llmsText('docs/') });
// The tables of the pages are made from the documents above, and from commands, which load the files above.
const { pages, documentTables: tablesOf } = await import('./generate/pages.ts');
emit('docs', pages(join(root, 'docs'), await tablesOf(root, profileSchema())));
if (stale.length > 0) fail(stale.map((path) => `${path} is stale; run "npm run generate" and commit it.`));

// The measurement of costs runs the suite, which needs the files above. It takes minutes, so it needs a flag.
if (process.argv.includes('--costs')) {
  const { measuredCosts } = await import('./generate/costs.ts');
  const costs = await measuredCosts().catch((error: Error) => fail([`costs.json is unchanged. ${error.message}`]));
  writeFileSync(join(root, 'conformance/generated', COSTS), costs);
}

/** Returns a schema that allows unknown properties and rule names, because another version may have written the file. */
function published(file: string, type: string, title: string): string {
  const options = { open: true, definitions: true, strings: ['RuleName'] };
  const { $schema = '', ...rest } = schemaOfType(`conformance/${file}`, type, options);
  return jsonText({ $schema, title, $comment: commentOf(file), ...rest });
}

function profileSchema(): JsonObject {
  const { $schema = '', properties, ...rest } = schemaOfType('conformance/http/target.ts', 'Profile', { open: false });
  const title = 'A profile: facts about a target of the conformance suite, in addition to its address and key (--profile FILE)';
  const own = {
    $schema: { type: 'string', description: 'The path or URL of this schema, for editors.' },
    ...(properties as JsonObject),
  };
  return { $schema, title, $comment: commentOf('http/target.ts'), ...rest, properties: own };
}
