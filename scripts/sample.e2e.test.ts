import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
// The folder is in node_modules, so that its files find vitest.
const folder = mkdtempSync(join(root, 'node_modules/.sample-'));
afterAll(() => rmSync(folder, { recursive: true }));

writeFileSync(
  join(folder, 'cases.test.ts'),
  `import { test } from 'vitest';
   import { isSample, ranAtLeast } from '${root}/scripts/sample.ts';
   ranAtLeast({ whole: 6, sample: 2 });
   const cases = Array.from({ length: Number(process.env.CASES) }, (_, index) => index + 1);
   test.each(cases)('case %i', () => {});`,
);
writeFileSync(
  join(folder, 'vitest.config.ts'),
  `import { someTestRan } from '${root}/vitest.config.ts';
   export default { test: { reporters: ['default', someTestRan] } };`,
);

/** Runs the file of six cases. Returns the exit code and the output. */
function runCases(environment: Record<string, string>, ...flags: string[]) {
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, ...flags];
  const env = { ...process.env, NO_COLOR: '1', CASES: '6', SAMPLE: '', ...environment };
  return new Promise<{ code: number | null; output: string }>((done) => {
    const child = execFile(process.execPath, vitest, { env }, (_, stdout, stderr) =>
      done({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}

test.each([
  ['all cases run', {}, [], 0, 'Tests  6 passed'],
  ['a sample is smaller', { SAMPLE: '1', CASES: '2' }, [], 0, 'Tests  2 passed'],
  ['a sample that is too small fails', { SAMPLE: '1', CASES: '1' }, [], 1, 'Only 1 tests ran; at least 2 must run.'],
  ['too few cases fail', { CASES: '5' }, [], 1, 'Only 5 tests ran; at least 6 must run.'],
  ['a title selects one case', {}, ['-t', 'case 4'], 0, 'Tests  1 passed'],
  ['a title that no case has fails', {}, ['-t', 'case 7'], 1, 'No test ran'],
  ['a file that does not exist fails', {}, ['nowhere'], 1, 'No test files found'],
] as [string, Record<string, string>, string[], number, string][])('%s', async (_, environment, flags, code, output) => {
  expect(await runCases(environment, ...flags)).toEqual({ code, output: expect.stringContaining(output) });
});
