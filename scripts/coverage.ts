import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { checks } from '../conformance/core/clause.ts';
import '../conformance/clauses/index.ts';
import { operationsOf } from '../openapi/document.ts';
import { type Exclusions, gapsIn, report } from './coverage/gaps.ts';
import { itemsOf } from './coverage/items.ts';
import { readClauses } from './generate/clauses.ts';
import { mutants } from './mutants/mutants.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

function specification(): string[] | undefined {
  const { values } = parseArgs({ options: { spec: { type: 'string' } } });
  const file = values.spec ?? join(root, '../shared/spec/gift-card-service.md');
  if (existsSync(file)) return itemsOf(readFileSync(file, 'utf8'));
  if (values.spec !== undefined)
    throw new Error(`There is no specification at ${values.spec}; name an existing file, or omit --spec.`);
  return undefined;
}

/** Names of clauses in the strings of the mock's tests. */
function namesInMockTests(): Set<string> {
  const files = readdirSync(join(root, 'mock'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.test.ts'),
  );
  const strings = files.flatMap((path) => read(`mock/${path}`).match(/'[^'\n]*'|`[^`]*`|"[^"\n]*"/g) ?? []);
  return new Set(strings.flatMap((string) => string.match(/[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+/g) ?? []));
}

try {
  const contract = JSON.parse(read('openapi/generated/contract.json'));
  const { clauses, problems } = readClauses(join(root, 'openapi/clauses'), join(root, 'openapi/clauses.schema.json'), contract);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const items = Object.entries(parse(read('openapi/items.yaml')) as Record<string, string[]>);
  const spec = specification();
  const evidence = {
    items: items.flatMap(([heading, keys]) => keys.map((key) => `${heading}, ${key}`)),
    ...(spec ? { specification: spec } : {}),
    clauses,
    exclusions: parse(read('openapi/exclusions.yaml')) as Exclusions,
    operationIds: operationsOf(contract).map(({ id }) => id),
    checked: new Set<string>(checks().map(({ name }) => name)),
    mutated: new Set<string>(mutants.map(({ clause }) => clause)),
    testedInMock: namesInMockTests(),
  };
  const gaps = gapsIn(evidence);
  process.stdout.write(report(evidence, gaps));
  process.exitCode = Object.keys(gaps).length > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
