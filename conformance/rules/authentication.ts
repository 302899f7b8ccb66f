import { describeResponse, expectAmount, expectStatus, expectSuccess, expectThat, isAbsent } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import { endpointOf, type TargetResponse } from '../http/exchange.ts';
import type { TargetRequest } from '../safety/effects.ts';
import { balanceOf, getByCode } from '../scenarios/cards.ts';
import { controlAccepts, controlRejects, ifAllowed } from '../scenarios/controls.ts';
import { profileResponse } from '../scenarios/currency.ts';
import { type EndpointRequest, everyEndpoint, sendRecorded } from '../scenarios/endpoints.ts';
import { sendList } from '../scenarios/lists.ts';
import { mutableCard } from '../scenarios/shared-cards.ts';
import { registration } from '../scenarios/webhooks.ts';

type Expect = (response: TargetResponse, what: string) => void;

const is401: Expect = (response, what) => expectStatus(response, 401, what);

/** Sends a request with another key or without a key, and checks the response. If the endpoint is missing even for the run's key, skips the check. */
async function sendWith(t: Trial, key: string | null, keyName: string, request: EndpointRequest, expect: Expect): Promise<void> {
  const what = `${endpointOf(request)} with ${keyName}`;
  const response = await ifAllowed(t, endpointOf(request), () => sendRecorded(t, what, { ...request, key }));
  if (!response) return;
  const withOwnKey = () => sendRecorded(t, "the same request with the run's key", request);
  // The target may have rejected the request for another reason than the key.
  if (response.status === 400 && request.otherwise === 400)
    t.doesNotCheck(`${request.path}: the run did not find the names of all fields or parameters of the request`);
  else if (isAbsent(response.status) && request.otherwise !== 404 && isAbsent((await withOwnKey()).status))
    t.doesNotCheck(`${endpointOf(request)}, which is missing even for the run's key`);
  else expect(response, what);
}

rule('authentication.missing-key-is-401', {}, async (t) => {
  await isRejectedEverywhere(t, null, 'no key', is401);
  const request = registration(t);
  const what = 'a registration of a webhook without a key';
  const registered = await ifAllowed(t, what, () => t.send(what, { ...request, key: null, optional: true }));
  if (!registered) return;
  t.run.ledger.recordResponse(request.entry, registered);
  is401(registered, what);
});

rule('authentication.key-is-in-header', {}, async (t) => {
  t.doesNotCheck('whether the target accepts a key in another place if the header is missing');
  const profile = { method: 'GET', path: '/api/Company/Profile' } as const;
  await controlAccepts(t, "the business profile with the run's key", profileResponse(t));
  const request: TargetRequest = { ...profile, query: { 'x-api-key': t.run.target.key }, key: `wrong-${t.run.ledger.fresh()}` };
  const response = await t.send('a request with the key in the query and a wrong key in the header', request);
  is401(response, 'a request with a wrong key in the header');
});

const sample = /^\/api\/GiftCard(Adjustment)?\/(List$|GetByCode|AddAdjustmentByGiftCardCode|VoidByCode|Create)/;

async function isRejectedEverywhere(t: Trial, key: string | null, keyName: string, expect: Expect): Promise<void> {
  t.doesNotCheck('web store coupons, whose paths are unknown');
  if (key !== null) t.doesNotCheck('automation events and registering webhooks');
  const on = await mutableCard(t);
  const found = await getByCode(t, on.code);
  await controlAccepts(t, "a look-up with the run's key", found);
  const isSampled = key !== null && !t.isReadOnly && t.mustLeaveOut('most endpoints');
  for (const request of await everyEndpoint(t, on))
    if (key === null || (!request.optional && (!isSampled || sample.test(request.path))))
      await sendWith(t, key, keyName, request, expect);
  // Another client may adjust a card that the run did not create.
  if (!t.isReadOnly) expectAmount(await balanceOf(t, on.code), Number(Object(found.json).balance), `balance of ${on.name}`);
}

function similarKeys(key: string): [string, string][] {
  const middle = Math.floor(key.length / 2);
  const other = key[middle]?.toLowerCase() === 'q' ? '7' : 'q';
  return [
    ['the key and a period', `${key}.`],
    ['the key without its last letter', key.replace(/[a-z0-9][^a-z0-9]*$/i, '')],
    ['the key with another letter in it', key.slice(0, middle) + other + key.slice(middle + 1)],
    ['an empty key', ''],
  ];
}

rule('authentication.wrong-key-is-401', {}, async (t) => {
  await isRejectedEverywhere(t, `wrong-${t.run.ledger.fresh()}`, 'an unknown key', is401);
  for (const [what, key] of similarKeys(t.run.target.key)) is401(await sendList(t, { pageSize: 1 }, key), `a list with ${what}`);
});

rule('authentication.deleted-key-is-401', { needs: ['deletedKey'] }, async (t, { deletedKey }) => {
  await isRejectedEverywhere(t, deletedKey, 'a deleted key', is401);
});

rule('authentication.basic-plan-refused', { needs: ['basicKey'] }, async (t, { basicKey }) => {
  await isRejectedEverywhere(t, basicKey, 'a key of the Basic plan', (response, what) =>
    expectThat(response.status >= 400 && response.status < 500, `${what} rejected`, describeResponse(response)),
  );
  t.doesNotCheck('the status of the rejection (open)');
});

const paidKeys = ['proKey', 'plusKey', 'enterpriseKey'] as const;

rule('authentication.paid-plans-admitted', { needsOneOf: paidKeys }, async (t) => {
  const { proKey, plusKey, enterpriseKey } = t.run.profile;
  const unknown = sendList(t, { pageSize: 1 }, `wrong-${t.run.ledger.fresh()}`);
  await controlRejects(t, 'a list with an unknown key', unknown, 401);
  for (const [plan, key] of Object.entries({ Pro: proKey, Plus: plusKey, Enterprise: enterpriseKey })) {
    const account = `an account on the plan ${plan}`;
    if (key === undefined) t.doesNotCheck(`${account}: the profile has no key of such an account`);
    else expectSuccess(await sendList(t, { pageSize: 1 }, key), `a list with a key of ${account}`);
  }
});
