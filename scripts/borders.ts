import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { borders } from './borders/rules.ts';

/** A line for each border that imports under `root` cross, followed by the imports; empty without any. */
export async function crossings(
  root: string,
  folders: string[],
  rules: readonly IForbiddenRuleType[] = borders,
): Promise<string[]> {
  const { output } = await cruise(folders, {
    baseDir: root,
    ruleSet: { forbidden: [...rules] },
    validate: true,
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types'],
    },
    // Type imports count: a cycle of types is a cycle for the reader.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['node_modules', '\\.test\\.ts$'] },
  });
  const { violations } = (output as ICruiseResult).summary;
  const folderOf = (path: string) => path.split('/', 1)[0] as string;
  const groups = new Set(violations.map(({ rule, from }) => `${rule.name} ${folderOf(from)}`));
  return [...groups].flatMap((group) => {
    const [name = '', folder = ''] = group.split(' ');
    const all = violations.filter(({ rule, from }) => rule.name === name && folderOf(from) === folder);
    const places = all.map(
      ({ from, to, cycle }) => `  ${[from, ...(cycle ?? [{ name: to }]).map((each) => each.name)].join(' → ')}`,
    );
    return [
      `${name}: ${rules.find((rule) => rule.name === name)?.comment} ${folder}/ has ${all.length} such imports.`,
      ...places,
    ];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = await crossings(resolve(import.meta.dirname, '..'), [
    'cli.ts',
    'command-line',
    'openapi',
    'mock',
    'conformance',
    'recipes',
  ]);
  for (const sentence of problems) process.stderr.write(`${sentence}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
