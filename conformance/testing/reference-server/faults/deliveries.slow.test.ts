import { test, vi } from 'vitest';
import { isSample, ranAtLeast } from '../../../../scripts/sample.ts';
import { faultCases } from './reported.ts';
import { needsReceiver } from './runner.ts';

// A run that waits for deliveries uses little time of the processor, so many runs are concurrent. Too many would make deliveries late.
vi.setConfig({ maxConcurrency: 16 });
ranAtLeast({ whole: 330, sample: 110 });

const { cases, isReported } = faultCases('faults of deliveries', needsReceiver, isSample);

test.concurrent.each(cases)('a server that $name is reported with the deliveries: $order', isReported);
