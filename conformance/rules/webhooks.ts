import { expectSame, expectStatus, expectSuccess, expectThat, isSuccess } from '../core/expect.ts';
import type { Mailbox } from '../core/receiver.ts';
import { rule } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import { arrays } from '../http/json-search.ts';
import { Untested } from '../safety/policy.ts';
import { controlAccepts, controlHolds } from '../scenarios/controls.ts';
import { payloadsIn } from '../scenarios/delivery-content.ts';
import { type DeliveryScenario, deliveryScenario, mostFailures, repeatedAttempts } from '../scenarios/delivery-scenario.ts';
import { controlDelivered } from '../scenarios/payloads.ts';
import { deletions, idsOf, isListedAt, registerInEveryWay } from '../scenarios/webhooks.ts';

const needs = ['receiver'] as const;
const inList = 'the webhook in the list';
const notInList = 'a list without the webhook';

rule('webhook.create.returns-200', {}, async (t) => {
  const { plain, lists } = await registerInEveryWay(t);
  expectStatus(plain.response, 200, 'registering a webhook');
  controlHolds(t, 'the webhook is in the list', isListedAt(t, lists.all, plain.url));
});

rule('webhook.create.registers', {}, async (t) => {
  const { plain, again, described, signed, lists } = await registerInEveryWay(t);
  controlHolds(t, 'the list did not show the webhook before', !isListedAt(t, lists.before, plain.url));
  expectSuccess(plain.response, 'registering a webhook');
  // The specification does not state the fields of a webhook in the list. If no field identifies the webhook, the number of records must grow.
  const [before = 0, after] = [lists.before, lists.all].map((list) => Math.max(0, ...arrays(list).map(({ length }) => length)));
  const count = [plain, again, described, signed].filter(({ response }) => isSuccess(response)).length;
  const isThere = isListedAt(t, lists.all, plain.url) || after === before + count;
  expectThat(isThere, `${inList}`, `a list of ${after} webhooks; before ${count} registrations, the list had ${before}`);
});

for (const [name, which] of [
  ['webhook.create.takes-description', 'described'],
  ['webhook.create.token-optional', 'signed'],
] as const)
  rule(name, {}, async (t) => {
    const { plain, [which]: other, lists } = await registerInEveryWay(t);
    for (const { response, url } of [plain, other]) {
      expectSuccess(response, 'registering a webhook');
      expectThat(isListedAt(t, lists.all, url), inList, notInList);
    }
  });

rule('webhook.create.same-url-again', {}, async (t) => {
  const { plain, again, lists } = await registerInEveryWay(t);
  await controlAccepts(t, 'the first registration of the URL', plain.response);
  expectSuccess(again.response, 'a second registration of the same URL');
  const ids = idsOf(t, lists.all, plain.url);
  expectSame(ids.length, 2, 'records of the URL in the list');
  expectThat(ids[0] !== ids[1], 'different IDs for the two webhooks', `${ids[0]} twice`);
});

rule('webhook.list.of-account', {}, async (t) => {
  const { plain, described, signed, lists } = await registerInEveryWay(t);
  for (const { url, response } of [plain, described, signed]) {
    await controlAccepts(t, 'the webhook was accepted', response);
    expectThat(isListedAt(t, lists.all, url), 'each of three webhooks in the list', 'a list without one of them');
  }
});

rule('webhook.delete.removes', {}, async (t) => {
  const { described, plain, lists, deletions: deleted } = await deletions(t);
  expectSuccess(deleted.first, 'deleting a webhook');
  expectThat(!isListedAt(t, lists.without, described.url), 'a list without the deleted webhook', inList);
  expectThat(isListedAt(t, lists.without, plain.url), 'the other webhook in the list', notInList);
  const pair = idsOf(t, lists.all, plain.url);
  if (new Set(pair).size === 2)
    expectSame(idsOf(t, lists.last, plain.url), pair.slice(0, 1), 'IDs at a URL with two webhooks, after the second was deleted');
  if (!t.run.receiver) return t.doesNotCheck('that a deleted webhook gets no more deliveries: there is no receiver');
  const { boxes, of, cards } = await deliveryScenario(t);
  const voids = (box: Mailbox) => Object.values(cards).flatMap((on) => of(box, on, 'giftcard/voided'));
  await controlDelivered(t, 'bare', 'giftcard/voided');
  expectSame(voids(boxes.deleted).length, 0, 'deliveries to a deleted webhook');
});

rule('webhook.delete.unknown-is-404', {}, async (t) => {
  const { plain, lists, deletions: deleted } = await deletions(t);
  await controlAccepts(t, 'deleting a webhook', deleted.first);
  expectStatus(deleted.unknown, 404, 'deleting an unknown webhook');
  expectStatus(deleted.again, 404, 'deleting a webhook a second time');
  expectThat(isListedAt(t, lists.without, plain.url), 'the other webhook in the list', notInList);
});

const tooFew = (what: string) => new Untested('control-failed', `too few deliveries arrived to disable a webhook: ${what}`);

/** A repeated attempt may or may not count as a failure. So the number of failures is known only if the target repeats none. */
const controlCounted = (t: Trial, scenario: DeliveryScenario): void =>
  controlHolds(t, 'no failed delivery was attempted again', repeatedAttempts(scenario).length === 0);

/** Throws Untested if too few deliveries arrived to disable the webhook `failing`. */
function hasFailed(t: Trial, scenario: DeliveryScenario, list = scenario.webhookLists.last): void {
  const { boxes, of, missing } = scenario;
  controlCounted(t, scenario);
  t.reliesOn(missing([boxes.failing]));
  if (!list.failed.includes(boxes.failing)) throw tooFew(`${of(boxes.failing).length} of ${mostFailures}`);
}

/** Expects that the last list does not show the webhook. The failed deliveries are the evidence. */
function expectDisabled({ webhookLists, of }: DeliveryScenario, box: Mailbox, expected: string): void {
  const topics = payloadsIn(of(box)).map(({ WebhookTopic }) => WebhookTopic);
  expectThat(!webhookLists.last.listed.has(box), expected, `${inList}, after ${topics.join(', ')}`);
}

rule('webhook.disabled-after-failures', { needs }, async (t) => {
  const scenario = await deliveryScenario(t);
  const { webhookLists, boxes, of, missing } = scenario;
  controlCounted(t, scenario);
  const failures = Math.min(of(boxes.tolerated).length, mostFailures - 1);
  expectThat(webhookLists.last.listed.has(boxes.tolerated), `a webhook with ${failures} failures in the list`, notInList);
  const [count, sent] = [of(boxes.failing).length, of(boxes.signed).length];
  t.reliesOn(missing([boxes.failing, boxes.signed]));
  if (sent < mostFailures) throw tooFew(`${sent} of ${mostFailures}`);
  expectThat(count >= mostFailures, `${mostFailures} deliveries to a failing webhook`, `${count} of ${sent}`);
  hasFailed(t, scenario);
  expectDisabled(scenario, boxes.failing, `a webhook with ${mostFailures} failures not in the list`);
});

/** The webhook `relapsing` returns 200 to its fourth delivery, and fails six of the first seven. */
rule('webhook.failures-count-for-life', { needs }, async (t) => {
  const scenario = await deliveryScenario(t);
  const { webhookLists, boxes, of, missing } = scenario;
  hasFailed(t, scenario);
  controlHolds(t, 'a webhook that always fails is disabled', !webhookLists.beforeLastVoid.listed.has(boxes.revived));
  t.reliesOn(missing([boxes.relapsing]));
  const count = of(boxes.relapsing).length;
  if (!webhookLists.last.failed.includes(boxes.relapsing))
    throw tooFew(`${count} of ${mostFailures + 1}, with a success in between`);
  expectDisabled(scenario, boxes.relapsing, `a webhook disabled by ${mostFailures} failures, with a success after the third`);
});

rule('webhook.list.enabled-only', { needs }, async (t) => {
  const scenario = await deliveryScenario(t);
  const { webhookLists, boxes } = scenario;
  hasFailed(t, scenario);
  controlHolds(t, 'a webhook that succeeds is in the list', webhookLists.last.listed.has(boxes.signed));
  expectDisabled(scenario, boxes.failing, 'a disabled webhook not in the list');
});

rule('webhook.disabled-gets-no-deliveries', { needs }, async (t) => {
  const scenario = await deliveryScenario(t);
  const { webhookLists, boxes, of, cards } = scenario;
  if (webhookLists.beforeLastVoid.listed.has(boxes.failing)) hasFailed(t, scenario, webhookLists.beforeLastVoid);
  await controlDelivered(t, 'bare', 'giftcard/voided');
  expectSame(of(boxes.failing, cards.bare, 'giftcard/voided').length, 0, 'deliveries to a disabled webhook');
});

rule('webhook.create-again-re-enables', { needs }, async (t) => {
  const scenario = await deliveryScenario(t);
  const { webhookLists, boxes, missing, of, cards, revivedIds } = scenario;
  hasFailed(t, scenario);
  if (!revivedIds) throw tooFew('the webhook was still in the list, so it could not be registered again');
  expectThat(webhookLists.last.listed.has(boxes.revived), 'a webhook that was registered again in the list', notInList);
  await controlDelivered(t, 'bare', 'giftcard/voided');
  const came = of(boxes.revived, cards.bare, 'giftcard/voided').length > 0;
  t.reliesOn(missing([boxes.revived], cards.bare));
  expectThat(came, 'deliveries to a webhook that was registered again', 'none');
});
