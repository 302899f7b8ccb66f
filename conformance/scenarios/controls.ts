import { expectStatus, expectSuccess, isSuccess } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { unknownIdLike } from '../http/json-search.ts';
import { Untested } from '../safety/policy.ts';
import type { TestCard } from './cards.ts';
import { mutableCard } from './shared-cards.ts';

/** Checks that the target accepts a valid request. Otherwise, the rejection of a similar request would prove nothing. */
export const controlAccepts = (t: Trial, what: string, response: TargetResponse | Promise<TargetResponse>): Promise<void> =>
  t.control(what, async () => expectSuccess(await response, 'the request'));

/** Checks that the target rejects an invalid request. Otherwise, the acceptance of a similar request would prove nothing. */
export const controlRejects = (
  t: Trial,
  what: string,
  response: TargetResponse | Promise<TargetResponse>,
  status = 400,
): Promise<void> => t.control(what, async () => expectStatus(await response, status, 'the request'));

/** Records a control that is a condition. Throws Untested `control-failed` if the condition is false. */
export function controlHolds(t: Trial, what: string, condition: boolean): void {
  if (!condition) throw new Untested('control-failed', `the control failed: ${what}`);
  t.controls.add(what);
}

/** Checks the accepted responses. Throws Blocked if a request was not accepted, because another rule reports that status. */
export function eachSuccess(
  responses: readonly [string, TargetResponse][],
  check: (response: TargetResponse, what: string) => void,
): void {
  for (const [what, response] of responses) if (isSuccess(response)) check(response, what);
  for (const [what, response] of responses) mustSucceed(response, what);
}

/** Checks that the target accepts a request about a card, and returns 404 to the same request about an unknown card. */
export async function unknownIs404(
  t: Trial,
  request: (on: Pick<TestCard, 'code' | 'id'>) => Promise<TargetResponse>,
): Promise<void> {
  const on = await mutableCard(t);
  await controlAccepts(t, 'the same request for a card', request(on));
  const unknown = { code: t.run.ledger.fresh('GCSNONE'), id: unknownIdLike(on.id) };
  expectStatus(await request(unknown), 404, 'a request for an unknown card');
}

/** Sends a request that the test can do without. If the run may not send the request, resolves with undefined. */
export async function ifAllowed(
  t: Trial,
  what: string,
  send: () => Promise<TargetResponse>,
): Promise<TargetResponse | undefined> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Untested) || !/^(mode|not-allowed)/.test(error.reason)) throw error;
    t.doesNotCheck(`${what}, which this run may not send`);
    return undefined;
  }
}

/** Resolves with the result. If the promise rejects with Untested or Blocked, resolves with undefined. */
export async function orUndefined<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Untested || error instanceof Blocked) return undefined;
    throw error;
  }
}
