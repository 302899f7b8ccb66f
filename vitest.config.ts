import { defineConfig } from 'vitest/config';

const ALL = ['{mock,conformance,openapi,scripts}/**/*.test.ts', '*.test.ts'];
/** Builds, packs and installs the package, for which it needs both cores; others that wait for an answer would wait too long beside it. */
const PACK = 'scripts/pack.test.ts';
/** Minutes of killing a run of everything at each of its requests; the trials have a sample. */
const KILLS = 'scripts/kills/*.test.ts';
/** Minutes of learning from thirty mocks, and from those that answer by what was learned. */
const LEARNING = 'scripts/learning/*.test.ts';
/** The suite and its judges as a whole, each of which runs it many times: minutes that npm test does not have. */
const TRIALS = [
  'conformance/testing/reference-server/*.test.ts',
  'conformance/fuzz/**/*.test.ts',
  'conformance/testing/oracle-lawful.test.ts',
  'conformance/testing/varied.test.ts',
  'conformance/compare/twenty.test.ts',
  'conformance/testing/false-green.test.ts',
  'conformance/safety/{kill,masking,planner}.test.ts',
  'scripts/mutants/command.test.ts',
  'scripts/generate/costs.test.ts',
];

export default defineConfig({
  test: {
    // Vitest would keep one core for itself, of which it needs little: on two cores the tests would then run one after another.
    maxWorkers: '100%',
    projects: [
      {
        // Files share what is loaded, which takes as long as the tests themselves: modules keep nothing but what is worked out once, and a test that
        // changes something shared puts it back.
        test: {
          name: 'code',
          include: ALL,
          exclude: [PACK, KILLS, LEARNING, ...TRIALS],
          isolate: false,
          testTimeout: 15_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // As somebody would who has installed the package: what they import by its name is what "npm run bundle" has built.
        test: {
          name: 'recipes',
          include: ['recipes/vitest/*.test.ts'],
          globalSetup: 'recipes/vitest/one-sandbox.ts',
          sequence: { groupOrder: 1 },
        },
      },
      { test: { name: 'trials', include: TRIALS, isolate: false, testTimeout: 60_000, sequence: { groupOrder: 0 } } },
      { test: { name: 'kills', include: [KILLS], isolate: false, testTimeout: 900_000, sequence: { groupOrder: 0 } } },
      { test: { name: 'learning', include: [LEARNING], isolate: false, testTimeout: 400_000, sequence: { groupOrder: 0 } } },
      { test: { name: 'package', include: [PACK], testTimeout: 30_000, hookTimeout: 60_000, sequence: { groupOrder: 2 } } },
    ],
  },
});
