import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { llmsText } from '../docs/.vitepress/site.ts';
import { refusalCodes } from '../openapi/effective/answers.ts';
import { bundle } from './generate/bundle.ts';
import { clauseNames, nameQuestions } from './generate/clause-names.ts';
import { readClauses, withClauses } from './generate/clauses.ts';
import { controlFiles } from './generate/control.ts';
import { documentText, jsonText, listsOf, typesOf } from './generate/document-files.ts';
import { pages, tablesOf } from './generate/pages.ts';
import { conformanceSchemas, profileSchema } from './generate/results.ts';
import { snapshotFiles } from './generate/snapshot.ts';
import { contractValidators } from './generate/validators.ts';
import { variantSchema } from './generate/variant-schema.ts';
import { worldFiles } from './generate/world.ts';

const root = join(import.meta.dirname, '..');
const openapi = join(root, 'openapi');
const COSTS = 'conformance/generated/costs.json';

function fail(sentences: string[]): never {
  for (const sentence of sentences) process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

const wire = bundle(openapi);
const { clauses, problems } = readClauses(join(openapi, 'clauses'), wire);
if (problems.length > 0) fail(problems);
const answers = parse(readFileSync(join(openapi, 'answers.yaml'), 'utf8')) as Record<string, string>;
const twice = Object.keys(answers).filter((name) => name in clauses);
if (twice.length > 0) fail(twice.map((name) => `answers.yaml: ${name} is already a clause; use a name once.`));
const variant = variantSchema(clauses, wire);

const ofContract: Record<string, string> = {
  'contract.json': documentText({ ...withClauses(wire, clauses), 'x-answers': answers }),
  'types.ts': await typesOf(wire, 'the contract'),
  'lists.ts': listsOf(wire, 'the contract', { RefusalCode: [...refusalCodes(wire).all] }),
  'clauses.ts': clauseNames(clauses, Object.keys(answers)),
  'names.ts': nameQuestions(parse(readFileSync(join(openapi, 'names.yaml'), 'utf8'))),
  'variant.schema.json': jsonText(variant),
  ...(await contractValidators(wire, variant, openapi)),
};

const files = Object.entries({
  'openapi/generated': ofContract,
  'conformance/generated': conformanceSchemas(),
  '.': { 'llms.txt': llmsText('docs/') },
  docs: pages(join(root, 'docs'), await tablesOf(root, profileSchema())),
  'mock/snapshot/generated': await snapshotFiles(openapi),
  'mock/world/generated': await worldFiles(join(root, 'mock/world')),
  'mock/control/generated': await controlFiles(join(root, 'mock/control/openapi'), wire, join(root, 'mock/world')),
}).flatMap(([folder, texts]) => Object.entries(texts).map(([name, text]) => ({ path: `${folder}/${name}`, text })));

if (process.argv.includes('--check')) {
  const isStale = (path: string, text: string) =>
    !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text;
  const stale = files.filter(({ path, text }) => isStale(path, text));
  if (stale.length > 0) fail(stale.map(({ path }) => `${path} is stale; run "npm run generate" and commit it.`));
} else {
  for (const { path, text } of files) write(path, text);
  // The measurement of costs runs the suite, which needs the files above. It takes minutes, so it needs a flag.
  if (process.argv.includes('--costs')) {
    const { measuredCosts } = await import('./generate/costs.ts');
    write(COSTS, await measuredCosts().catch((error: Error) => fail([`${COSTS} is unchanged. ${error.message}`])));
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
