import { expect, test, vi } from 'vitest';
import { isSample, ranAtLeast } from '../../../../scripts/sample.ts';
import { faults } from './faults.ts';
import { faultCases } from './reported.ts';
import { needsReceiver } from './runner.ts';

vi.setConfig({ maxConcurrency: 4 });
ranAtLeast({ whole: 870, sample: 290 });

const { cases, isReported } = faultCases('faults without deliveries', (fault) => !needsReceiver(fault), isSample);

test.concurrent.each(cases)('a server that $name is reported with the deliveries: $order', isReported);

test('there are at least 390 faults, so that no table is left out', () => {
  expect(faults.size).toBeGreaterThanOrEqual(390);
});
