import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { operationsOf } from '../openapi/document.ts';
import { refusalCodes } from '../openapi/effective/complaints.ts';
import { type Evidence, type Exclusions, holesIn } from './coverage/check.ts';
import { namesIn, namesInStrings } from './coverage/citations.ts';
import { itemsOf } from './coverage/items.ts';
import { reportOf } from './coverage/report.ts';
import { readClauses } from './generate/clauses.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** The names that a source file yields, gathered from all TypeScript files under a folder that a test of their path accepts. */
function gather(folder: string, wanted: (path: string) => boolean, names: (source: string) => string[]): string[] {
  if (!existsSync(join(root, folder))) return [];
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (path) => `${folder}/${path.replaceAll('\\', '/')}`,
  );
  return paths.filter((path) => path.endsWith('.ts') && wanted(path)).flatMap((path) => names(read(path)));
}

function specification(): string[] | undefined {
  const { values } = parseArgs({ options: { spec: { type: 'string' } } });
  const file = values.spec ?? join(root, '../shared/spec/gift-card-service.md');
  if (existsSync(file)) return itemsOf(readFileSync(file, 'utf8'));
  if (values.spec !== undefined)
    throw new Error(`There is no specification at ${values.spec}; give --spec the file, or leave it out.`);
  return undefined;
}

function evidence(): Evidence {
  const contract = JSON.parse(read('openapi/generated/contract.json'));
  const { clauses, complaints } = readClauses(join(root, 'openapi/clauses'), join(root, 'openapi/clauses.schema.json'), contract);
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  const items = Object.entries(parse(read('openapi/items.yaml')) as Record<string, string[]>);
  const inSuite = (path: string): boolean => /^conformance\/(clauses|probes)\//.test(path);
  const isTest = (path: string): boolean => path.endsWith('.test.ts');
  const spec = specification();
  return {
    items: items.flatMap(([heading, keys]) => keys.map((key) => `${heading}, ${key}`)),
    ...(spec ? { specification: spec } : {}),
    clauses,
    exclusions: parse(read('openapi/exclusions.yaml')) as Exclusions,
    operationIds: operationsOf(contract).map(({ id }) => id),
    refusalCodes: [...refusalCodes(contract)],
    cited: {
      mock: new Set(gather('mock', (path) => !isTest(path), namesIn)),
      suite: new Set(gather('conformance', (path) => inSuite(path) && !isTest(path), namesInStrings)),
      tests: new Set(['mock', 'conformance', 'openapi'].flatMap((folder) => gather(folder, isTest, namesInStrings))),
    },
  };
}

try {
  const found = evidence();
  const holes = holesIn(found);
  process.stdout.write(reportOf(found, holes));
  process.exitCode = Object.keys(holes).length > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
