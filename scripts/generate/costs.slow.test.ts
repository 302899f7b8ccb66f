import { expect, it } from 'vitest';
import type { CheckCost, Cost } from '../../conformance/core/planner.ts';
import kept from '../../conformance/generated/costs.json' with { type: 'json' };
import { measuredCosts } from './costs.ts';

type Costs = Readonly<Record<'checks' | 'shared', Readonly<Record<string, CheckCost | Cost>>>>;

/** The counts of a check may differ by this number, because a check polls more often on a busy machine. */
const LEEWAY = 2;

const counted = ['requests', 'cleaning'] as const;

/** Returns the costs without the counts that depend on time (`settled`), and the entries whose counts differ too much (`off`). */
function compared(measured: Costs, known: Costs) {
  const settled = ({ checks, shared }: Costs) =>
    JSON.stringify({ checks, shared }, (name, value) => (counted.includes(name as never) ? undefined : value), 1);
  const off = (['checks', 'shared'] as const).flatMap((part) =>
    Object.entries(measured[part]).filter(([name, cost]) =>
      counted.some((each) => Math.abs((cost[each] ?? 0) - (known[part][name]?.[each] ?? 0)) > LEEWAY),
    ),
  );
  return { settled: [settled(measured), settled(known)] as const, off };
}

it('finds what checks cost as conformance/generated/costs.json has it', { retry: 1, timeout: 300_000 }, async () => {
  const { settled, off } = compared(JSON.parse(await measuredCosts()) as Costs, kept as unknown as Costs);
  expect(settled[0]).toBe(settled[1]);
  expect(off).toEqual([]);
});
