import { defineConfig } from 'vitest/config';

const ALL = ['{command-line,mock,conformance,openapi,runners,scripts,ui}/**/*.test.{ts,tsx}', '*.test.ts'];
/** Opens the dashboard of running mocks in a browser. */
const UI = 'ui/browser/**/*.test.ts';
/** Builds, packs and installs the package, which takes both cores. */
const PACK = 'scripts/pack/*.test.ts';
/** Kills a run of the suite at each of its requests, and the mock at random points: minutes. */
const CRASH = 'scripts/crash/**/*.test.ts';
/** Breaks the mock in almost 300 ways, and runs the test of each violated clause: minutes. */
const MUTATION = 'scripts/mutants/mutants.test.ts';
/** Breaks the reference server in more than 100 ways, and runs the test of each violated clause: minutes. */
const FAULTS = 'conformance/testing/reference-server/faults/faults.test.ts';
/** Runs the suite against a hundred mocks that answer the open questions in other ways: minutes. */
const VARIANTS = 'scripts/variants/*.test.ts';
/** Learns from thirty mocks and from the mocks that follow: minutes. */
const LEARN = 'scripts/learn/*.test.ts';
/** Starts PostgreSQL, nginx and replicas that share their state; kills and restarts them: minutes. */
const SHARED = 'scripts/shared/**/*.test.ts';
/** Tests that run the whole suite, many of them several times, or thousands of random inputs. */
const E2E = [
  'conformance/testing/reference-server/*.test.ts',
  'conformance/testing/{oracle-lawful,false-green,broken-endpoint,probes}.test.ts',
  'conformance/{fuzz/**/*,cli/fuzz}.test.ts',
  'conformance/{core/silent-target,core/trust,scenarios/canary}.test.ts',
  'mock/snapshot/{extremes,tampered}.test.ts',
  'conformance/compare/twenty.test.ts',
  'conformance/safety/{kill,masking,planner,dying-target}.test.ts',
  'scripts/{contract-tools/contract-tools,mutants/runner,recipes,docs}.test.ts',
  'scripts/generate/costs.test.ts',
];

export default defineConfig({
  test: {
    // Vitest keeps one core for itself by default. On two cores, tests would then run one after another.
    maxWorkers: '100%',
    projects: [
      {
        // Test files share loaded modules, because loading takes as long as the tests. A test that changes something shared restores it.
        test: {
          name: 'code',
          include: ALL,
          exclude: ['**/node_modules/**', UI, PACK, CRASH, LEARN, MUTATION, FAULTS, VARIANTS, SHARED, ...E2E],
          isolate: false,
          testTimeout: 15_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Recipes import the package by its name: what "npm run bundle" has built.
        test: {
          name: 'recipes',
          include: ['recipes/vitest/*.test.ts'],
          globalSetup: 'giftcard-sandbox/vitest/setup',
          sequence: { groupOrder: 1 },
        },
      },
      { test: { name: 'e2e', include: E2E, isolate: false, testTimeout: 60_000, sequence: { groupOrder: 0 } } },
      {
        test: {
          name: 'crash-suite',
          include: ['scripts/crash/suite.test.ts'],
          testTimeout: 900_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: { name: 'crash-mock', include: ['scripts/crash/mock.test.ts'], testTimeout: 300_000, sequence: { groupOrder: 0 } },
      },
      { test: { name: 'shared', include: ['scripts/shared/*.test.ts'], testTimeout: 90_000, hookTimeout: 30_000 } },
      { test: { name: 'mutation', include: [MUTATION], maxConcurrency: 8, testTimeout: 120_000, sequence: { groupOrder: 0 } } },
      { test: { name: 'faults', include: [FAULTS], maxConcurrency: 10_000, testTimeout: 400_000, sequence: { groupOrder: 1 } } },
      { test: { name: 'variants', include: [VARIANTS], maxConcurrency: 4, testTimeout: 240_000, sequence: { groupOrder: 0 } } },
      { test: { name: 'learn', include: [LEARN], isolate: false, testTimeout: 400_000, sequence: { groupOrder: 0 } } },
      { test: { name: 'ui', include: [UI], testTimeout: 30_000, hookTimeout: 30_000, sequence: { groupOrder: 0 } } },
      {
        test: {
          name: 'package',
          include: [PACK],
          globalSetup: 'scripts/pack/setup.ts',
          testTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
