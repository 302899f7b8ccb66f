import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, operationsOf, resolve } from '../../openapi/document.ts';
import { defaultBehaviors } from '../../openapi/generated/clauses.ts';
import { type Fixture, sandboxOf } from '../testing/fixture.ts';
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
 * does not compile, nor a probe without one of its behaviors.
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

/** Fills up with the answers of operations that the contract, as the account that asks speaks it, does not have under this status and media type. */
function answersNotInContract({ sandbox, account }: Fixture): string[] {
  const untold: string[] = [];
  const handle = sandbox.handle.bind(sandbox);
  sandbox.handle = (request) => {
    const handled = handle(request);
    const { answer, operation, holder } = handled;
    if (!operation || (holder && holder.account !== account)) return handled;
    const document = account.contract.document as unknown as JsonObject;
    const { responses } = operationsOf(document).find(({ id }) => id === operation.id)?.node ?? {};
    const response = isObject(responses) ? responses[answer.status] : undefined;
    const mediaType = answer.headers['content-type']?.split(';')[0];
    const { content = {}, 'x-refusals': codes = [] } = response ? resolve(document, response) : {};
    const told = response === undefined ? undefined : Object.keys(content as JsonObject);
    // That some refusals of a status have no body, and others have, no document can say.
    const mayBeEmpty = told?.length === 0 || (codes as string[]).length > 1;
    const isTold = told && (mediaType === undefined ? mayBeEmpty : told.includes(mediaType));
    if (!isTold) untold.push(`${operation.id}: ${answer.status} ${mediaType}, and told are ${told ?? 'none of this status'}`);
    return handled;
  };
  return untold;
}

describe.each(Object.entries(probes) as unknown as [Question, Probe<Question>][])('%s', (clause, probe) => {
  const behaviors = Object.entries(probe.shows);

  test.each(behaviors)('%s', async (reading, shown) => {
    const fixture = sandboxOf([probe.account ?? {}], { rateLimit: probe.rateLimit ?? null, behaviors: { [clause]: reading } });
    const untold = answersNotInContract(fixture);
    expect(await probe.observe(fixture)).toEqual(shown);
    expect(untold).toEqual([]);
  });

  test('no two behaviors look alike', () => {
    expect(new Set(behaviors.map(([, shown]) => JSON.stringify(shown))).size).toBe(behaviors.length);
  });

  test('the default is one of them', () => {
    expect(Object.keys(probe.shows)).toContain(defaultBehaviors[clause]);
  });
});
