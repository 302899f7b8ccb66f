import { describe, expect, test } from 'vitest';
import { defaultReadings } from '../../openapi/generated/clauses.ts';
import { sandboxOf } from '../fixture.ts';
import { adjustmentsProbes } from './adjustments.probes.ts';
import { authenticationProbes } from './authentication.probes.ts';
import { automationProbes } from './automation.probes.ts';
import { cardsProbes } from './cards.probes.ts';
import { channelsProbes } from './channels.probes.ts';
import { companyProbes } from './company.probes.ts';
import { couponsProbes } from './coupons.probes.ts';
import { creatingProbes } from './creating.probes.ts';
import { deliveriesProbes } from './deliveries.probes.ts';
import { emailsProbes } from './emails.probes.ts';
import { errorsProbes } from './errors.probes.ts';
import { findingProbes } from './finding.probes.ts';
import { historyProbes } from './history.probes.ts';
import { httpProbes } from './http.probes.ts';
import { idempotencyProbes } from './idempotency.probes.ts';
import { limitsProbes } from './limits.probes.ts';
import { listsProbes } from './lists.probes.ts';
import { payloadProbes } from './payload.probes.ts';
import type { Probe, Probes, Question } from './probe.ts';
import { statesProbes } from './states.probes.ts';
import { voidingProbes } from './voiding.probes.ts';
import { webhooksProbes } from './webhooks.probes.ts';

/**
 * Every open clause with more than one reading is really switchable: each reading shows, and shows otherwise than all others. A clause without a probe
 * does not compile, nor a probe without one of its readings.
 */
const probes: Probes = {
  ...adjustmentsProbes,
  ...authenticationProbes,
  ...automationProbes,
  ...cardsProbes,
  ...channelsProbes,
  ...companyProbes,
  ...couponsProbes,
  ...creatingProbes,
  ...deliveriesProbes,
  ...emailsProbes,
  ...errorsProbes,
  ...findingProbes,
  ...historyProbes,
  ...httpProbes,
  ...idempotencyProbes,
  ...limitsProbes,
  ...listsProbes,
  ...payloadProbes,
  ...statesProbes,
  ...voidingProbes,
  ...webhooksProbes,
};

describe.each(Object.entries(probes) as unknown as [Question, Probe<Question>][])('%s', (clause, probe) => {
  const readings = Object.entries(probe.shows);

  test.each(readings)('%s', async (reading, shown) => {
    const fixture = sandboxOf([probe.account ?? {}], { rateLimit: probe.rateLimit ?? null, readings: { [clause]: reading } });
    expect(await probe.observe(fixture)).toEqual(shown);
  });

  test('no two readings look alike', () => {
    expect(new Set(readings.map(([, shown]) => JSON.stringify(shown))).size).toBe(readings.length);
  });

  test('the default is one of them', () => {
    expect(Object.keys(probe.shows)).toContain(defaultReadings[clause]);
  });
});
