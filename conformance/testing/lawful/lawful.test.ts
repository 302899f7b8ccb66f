import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judged, type Row } from '../exchanges-fixture.ts';
import { type Fault, faults } from './faults-fixture.ts';
import { anySteps, calmSteps } from './steps-fixture.ts';
import { trafficOf } from './traffic-fixture.ts';
import { anyWays } from './ways-fixture.ts';

/**
 * How many walks, and which: LAWFUL_WALKS=20000 LAWFUL_SEED=7 are others, and with the LAWFUL_SEED and LAWFUL_PATH of a failure it is that one alone.
 */
const { LAWFUL_WALKS: walks = '300', LAWFUL_SEED: seed = '1', LAWFUL_PATH: path } = process.env;

const named = (rows: readonly Row[][], onlyClient: boolean) =>
  judged(rows, onlyClient).findings.filter(({ kind, clause }) => kind === 'violated' && !clause?.startsWith('robustness.'));

const anyBefore = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(10) });

/** One exchange a line, by the numbers that findings have; those that were under way at once begin with the same letter. */
function toldIn(rows: readonly Row[][]): string {
  let n = 0;
  const lines = rows.flatMap((row, index) =>
    row.map(({ does, named: name = '', asked, query, after, lost, status, told, key }) => {
      n += 1;
      const answer = lost ? 'LOST' : `${status} ${JSON.stringify(told, withoutLinks) ?? ''}`;
      return `${n} ${String.fromCharCode(97 + index)} +${after ?? 0} ${key} ${does} ${name} ${JSON.stringify(asked ?? query ?? {})} -> ${answer}`;
    }),
  );
  return lines.join('\n');
}
const withoutLinks = (name: string, value: unknown) => (/Url$|^currency$/.test(name) ? undefined : value);

describe('of a service that keeps the specification nothing is named', () => {
  test.each([
    ['whoever acts beside, without a word of it', false],
    ['where it is said that nobody else acts, and nobody does', true],
  ])(
    '%s',
    (_, onlyClient) => {
      const property = fc.property(anyWays, anySteps, anyBefore, (ways, steps, before) => {
        const rows = trafficOf(ways, steps, { othersAct: !onlyClient, before });
        const found = named(rows, onlyClient).map(({ clause, what, exchanges }) => `${clause}: ${what} (${exchanges})`);
        if (found.length > 0) throw new Error(`${found.join('\n')}\n${toldIn(rows)}`);
      });
      fc.assert(property, { seed: Number(seed), numRuns: Number(walks), ...(path === undefined ? {} : { path }) });
    },
    600_000,
  );
});

describe('of one that keeps it but for one fault, that fault is named', () => {
  const some = fc.sample(fc.tuple(anyWays, calmSteps), { seed: 1, numRuns: 60 });
  test.each(Object.entries(faults))('which %s', (name, [clause, share]) => {
    const those = some.filter(([ways, steps]) => {
      const rows = trafficOf(ways, steps, { othersAct: false, fault: name as Fault });
      return named(rows, true).some((each) => each.clause === clause);
    });
    expect(those.length / some.length).toBeGreaterThan(share);
  });
});
