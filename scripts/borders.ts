import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import { borders } from './borders/rules.ts';

/** Returns dependency-cruiser's report of the imports under `root` that cross borders. If no import crosses a border, the report is empty. */
export async function crossings(root: string, folders: string[]): Promise<string> {
  const { output, exitCode } = await cruise(folders, {
    baseDir: root,
    ruleSet: { forbidden: [...borders] },
    validate: true,
    outputType: 'err-long',
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types'],
    },
    // Type imports count, too, because a reader has to follow them like other imports.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['node_modules', '\\.test\\.tsx?$'] },
  });
  return exitCode === 0 ? '' : String(output);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folders = ['cli', 'openapi', 'mock', 'conformance', 'ui', 'docs/recipes', 'scripts'];
  const report = await crossings(resolve(import.meta.dirname, '..'), folders);
  process.stderr.write(report);
  if (report !== '') process.exitCode = 1;
}
