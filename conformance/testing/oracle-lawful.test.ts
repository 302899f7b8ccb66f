import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Oracle } from '../oracle/oracle.ts';
import { faultNamed } from './reference-server/faults/faults.ts';
import { anyLawfulOptions, findingsIn } from './traffic.ts';

/** Set TRAFFIC_RUNS=20000 TRAFFIC_SEED=7 to run other traffic. Set TRAFFIC_SEED and TRAFFIC_PATH of a failure to repeat the failure. */
const { TRAFFIC_RUNS: runs = '300', TRAFFIC_SEED: seed = '1', TRAFFIC_PATH: path } = process.env;

const anySettings = fc.record({ joinsAt: fc.constantFrom(0, 0, 0, 0, 1, 5, 10), isCalm: fc.constantFrom(false, false, true) });

describe('the oracle finds no violation in a lawful service', () => {
  test.each([
    ['while others act on the account', true],
    ['that only one client uses', false],
  ])(
    '%s',
    async (_, othersAct) => {
      const property = fc.asyncProperty(anyLawfulOptions, fc.gen(), anySettings, async (options, draw, settings) => {
        const oracle = new Oracle({ isOnlyClient: !othersAct });
        const { findings, log } = await findingsIn(options, draw, { oracle, othersAct, ...settings });
        // The gateway's 502 violates a robustness expectation, but not the specification.
        const violated = findings.filter(({ kind, clause }) => kind === 'violated' && !clause?.startsWith('robustness.'));
        if (violated.length > 0) throw new Error([...violated.map((each) => JSON.stringify(each)), ...log].join('\n'));
      });
      await fc.assert(property, { seed: Number(seed), numRuns: Number(runs), ...(path === undefined ? {} : { path }) });
    },
    600_000,
  );
});

/** The minimum share of runs in which the oracle names the clause of the fault. */
const shares: Readonly<Record<string, number>> = {
  'accepts a used code': 0.08,
  'accepts a used uniqueId': 0.06,
  'accepts a used uniqueAdjustmentId': 0.06,
  'allows overdraw by ID': 0.05,
  'ignores adjustments': 0.09,
  'keeps the balance of voided cards': 0.25,
  'hides voided cards from the list': 0.15,
  'lists the oldest update first': 0.12,
  'lists by time of issue': 0.03,
  'does not count an adjustment as an update': 0.02,
  'shows the oldest entry first': 0.04,
};

describe('the oracle names the clause of a fault', () => {
  test.each(Object.entries(shares))(
    '%s',
    async (name, share) => {
      const { clause, make } = faultNamed(name);
      const samples = fc.sample(fc.tuple(anyLawfulOptions, fc.gen()), { seed: 1, numRuns: 400 });
      let named = 0;
      for (const [options, draw] of samples) {
        const oracle = new Oracle({ isOnlyClient: true });
        const { findings } = await findingsIn({ ...options, hooks: make() }, draw, {
          oracle,
          othersAct: false,
          joinsAt: 0,
          isCalm: true,
        });
        if (findings.some((each) => each.kind === 'violated' && each.clause === clause)) named += 1;
      }
      expect(named / samples.length).toBeGreaterThan(share);
    },
    60_000,
  );
});
