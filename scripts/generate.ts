import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { bundle } from './generate/bundle.ts';
import { clauseNames, nameQuestions } from './generate/clause-names.ts';
import { readClauses } from './generate/clauses.ts';
import { controlFiles } from './generate/control.ts';
import { withClauses } from './generate/describe.ts';
import { ledgerSchema, profileSchema, profileTable, resultsSchema } from './generate/results.ts';
import { snapshotFiles } from './generate/snapshot.ts';
import { typesOf } from './generate/types.ts';
import { compileValidators, validatorTypes } from './generate/validators.ts';
import { variantSchema } from './generate/variant-schema.ts';
import { worldFiles } from './generate/world.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const openapi = join(root, 'openapi');
const COSTS = 'conformance/generated/costs.json';

function fail(sentences: string[]): never {
  for (const sentence of sentences) process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

const wire = bundle(openapi);
const { clauses, complaints } = readClauses(join(openapi, 'clauses'), join(openapi, 'clauses.schema.json'), wire);
if (complaints.length > 0) fail(complaints);
const contract = withClauses(wire, clauses);
const answers = parse(readFileSync(join(openapi, 'answers.yaml'), 'utf8')) as Record<string, string>;
const twice = Object.keys(answers).filter((name) => name in clauses);
if (twice.length > 0) fail(twice.map((name) => `answers.yaml: ${name} is a clause already; a name is used once.`));
contract['x-answers'] = answers;

const ofContract: Record<string, string> = {
  // JSON has no comments, so that the file says so in a member of its own, still on the first line.
  'contract.json': `${JSON.stringify({ 'x-generated': 'By "npm run generate"; do not edit.', ...contract }, null, 2).replace('{\n  ', '{ ')}\n`,
  'types.ts': await typesOf(wire),
  'clauses.ts': clauseNames(clauses, Object.keys(answers)),
  'names.ts': nameQuestions(parse(readFileSync(join(openapi, 'names.yaml'), 'utf8'))),
  'variant.schema.json': variantSchema(clauses, join(openapi, 'clauses.schema.json')),
  'validators.js': await compileValidators(wire, openapi),
  'validators.d.ts': validatorTypes(wire),
};

const files = Object.entries({
  'openapi/generated': ofContract,
  'conformance/generated': {
    'results.schema.json': resultsSchema(),
    'profile.schema.json': profileSchema(),
    'ledger.schema.json': ledgerSchema(),
  },
  'recipes/conformance': { 'profile.md': profileTable() },
  'mock/snapshot/generated': await snapshotFiles(openapi),
  'mock/world/generated': await worldFiles(join(root, 'mock/world')),
  'mock/control/generated': await controlFiles(join(root, 'mock/control/openapi'), openapi),
}).flatMap(([folder, texts]) => Object.entries(texts).map(([name, text]) => ({ path: `${folder}/${name}`, text })));

const isStale = ({ path, text }: (typeof files)[number]) =>
  !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text;

if (process.argv.includes('--check')) {
  const stale = files.filter(isStale);
  if (stale.length > 0) fail(stale.map(({ path }) => `${path} is stale; run "npm run generate" and commit it.`));
} else {
  for (const { path, text } of files) write(path, text);
  // The suite itself measures these, with the files generated above. It takes longer than the rest, so it is asked for.
  if (process.argv.includes('--costs')) {
    const { measuredCosts } = await import('./generate/costs.ts');
    write(COSTS, await measuredCosts().catch((error: Error) => fail([`${COSTS} stays as it was. ${error.message}`])));
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
