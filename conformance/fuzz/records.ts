import { expectSuccess } from '../core/expect.ts';
import type { EndpointOperation } from '../core/operations.ts';
import { Trial } from '../core/trial.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { createBody } from '../scenarios/cards.ts';
import { quietUrl, register, removeAll } from '../scenarios/webhooks.ts';
import { type OddRequest, requestFrom } from './odd-requests.ts';

/** Sends an odd create. Cleanup finds the card by its code. If the code is odd, cleanup finds the card by a mark in a custom field. */
export async function sendOddCreate(t: Trial, operation: EndpointOperation, odd: OddRequest): Promise<TargetResponse> {
  const { ledger } = t.run;
  t.throwIfOver();
  const isUncoded = odd.field === 'code' || odd.isUnmarked === true;
  const entry = isUncoded ? ledger.openUncoded() : ledger.open(ledger.fresh(), undefined);
  const body = createBody(t, isUncoded ? { customField1: entry.mark } : { code: entry.code });
  const base = { body, ownValue: ledger.fresh() };
  const response = await t.sendOfMany({ ...requestFrom(operation, base, odd.parts(base)), entry });
  ledger.recordResponse(entry, response);
  const { code } = (response.json ?? {}) as { code?: unknown };
  if (response.status !== 200 || typeof code !== 'string' || code === entry.code) return response;
  if (!isUncoded) ledger.recordResponse(ledger.open(code, undefined), response);
  // If the code does not fit into a path, cleanup finds the card by its id.
  else if (/^[\w-]{4,}$/.test(code)) ledger.setCode(entry, code);
  return response;
}

export async function tryRegistration(t: Trial): Promise<void> {
  const url = await quietUrl(t);
  expectSuccess((await register(t, url)).response, 'registering a webhook');
  await removeAll(t, [url]);
}

/** Registers a webhook at an address that no name server knows. Deletes the webhook at once. */
export async function sendOddRegistration(t: Trial, operation: EndpointOperation, odd: OddRequest): Promise<TargetResponse> {
  const { ledger } = t.run;
  t.throwIfOver();
  const ownValue = ledger.fresh();
  const url = `https://conformance.invalid/${ownValue}`;
  const description = `odd input ${ownValue}`;
  const base = { body: { url, description }, ownValue };
  // An odd URL may be the URL of another webhook. Cleanup then finds the new webhook by its description.
  const entry = ledger.openWebhook(url, undefined, description);
  const response = await t.sendOfMany({ ...requestFrom(operation, base, odd.parts(base)), entry });
  ledger.recordResponse(entry, response);
  // The steps of the rule do not show these requests, because they follow each odd request.
  if (response.status < 300 || response.status >= 500) await removeAll(new Trial(t.run), [url]);
  return response;
}
