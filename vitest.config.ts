import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';

const FOLDERS = '{cli,mock,conformance,openapi,scripts,ui}/**';
/** The kinds of tests that `npm test` does not run. A file's name ends in its kind: `budget.e2e.test.ts`. */
const OTHER_KINDS = '**/*.{e2e,slow,browser,package}.test.ts';
const filesOf = (kind: string) => [`${FOLDERS}/*.${kind}.test.ts`];
/** Ends a test that hangs. A test of half a minute on an idle machine takes minutes on a busy one. */
const hung = { testTimeout: 240_000, hookTimeout: 240_000 };

/** Fails a run in which no test ran, because a filter of titles (`-t`) matched none. Vitest itself fails only if no file matches. */
export const someTestRan: Reporter = {
  onTestRunEnd(modules) {
    const ran = modules.some(({ children }) => [...children.allTests()].some((test) => test.result().state !== 'skipped'));
    if (ran || modules.some((module) => module.errors().length > 0)) return;
    process.stderr.write('No test ran: the filter of titles matches none.\n');
    process.exitCode = 1;
  },
};

/** Runs the files with the table of faults first. They take longest, although they are the smallest files, which Vitest would run last. */
class FaultsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const areFaults = ({ moduleId }: TestSpecification) => Number(moduleId.includes('/faults/'));
    return (await super.sort(files)).toSorted((one, other) => areFaults(other) - areFaults(one));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: FaultsFirst },
    // Vitest keeps one core for itself by default. On two cores, tests would then run one after another.
    maxWorkers: '100%',
    passWithNoTests: false,
    reporters: ['default', someTestRan],
    projects: [
      {
        // Test files share loaded modules, because loading takes as long as the tests. A test that changes something shared restores it.
        test: {
          name: 'unit',
          include: [`${FOLDERS}/*.test.{ts,tsx}`],
          exclude: [OTHER_KINDS, '**/{node_modules,templates}/**'],
          isolate: false,
          testTimeout: 15_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Runs the whole suite, many times, or thousands of random inputs.
        test: { name: 'e2e', include: filesOf('e2e'), isolate: false, ...hung, sequence: { groupOrder: 0 } },
      },
      {
        // Takes minutes. Each file runs a part of its cases with SAMPLE=1.
        test: { name: 'slow', include: filesOf('slow'), ...hung, sequence: { groupOrder: 0 } },
      },
      {
        // Opens pages of running mocks in a browser.
        test: { name: 'browser', include: filesOf('browser'), ...hung, sequence: { groupOrder: 0 } },
      },
      {
        // Builds, packs and installs the package, which takes both cores.
        test: {
          name: 'package',
          include: filesOf('package'),
          globalSetup: 'scripts/checks/package/setup.ts',
          ...hung,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
