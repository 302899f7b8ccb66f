import { clause } from '../core/clause.ts';
import { expectSame, expectStatus, expectSuccess, expectThat, isSuccess } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { arrays } from '../http/json-search.ts';
import type { Mailbox } from '../http/receiver.ts';
import { controlAccepts, controlHolds } from '../scenarios/controls.ts';
import { type DeliveryScenario, deliveryScenario, mostFailures } from '../scenarios/delivery-scenario.ts';
import { controlDelivered } from '../scenarios/payloads.ts';
import { deletions, idsOf, isListedAt, type Registered, registrations } from '../scenarios/webhooks.ts';

const needs = ['receiver'] as const;
const inList = 'the webhook in the list';
const notInList = 'a list without the webhook';

/** Checks that the target accepted each registration and lists its webhook. */
function registered(t: Trial, list: unknown, ...all: readonly Registered[]): void {
  for (const { answer, url } of all) {
    expectSuccess(answer, 'registering a webhook');
    expectThat(isListedAt(t, list, url), inList, notInList);
  }
}

clause('webhook.create.answers-200', {}, async (t) => {
  const { plain, lists } = await registrations(t);
  expectStatus(plain.answer, 200, 'registering a webhook');
  controlHolds(t, 'the webhook is in the list', isListedAt(t, lists.all, plain.url));
});

clause('webhook.create.registers', {}, async (t) => {
  const { plain, again, described, signed, lists } = await registrations(t);
  controlHolds(t, 'the list did not show the webhook before', !isListedAt(t, lists.before, plain.url));
  expectSuccess(plain.answer, 'registering a webhook');
  // The specification does not state the fields of a webhook in the list. If no field identifies the webhook, the number of records must grow.
  const [before = 0, after] = [lists.before, lists.all].map((list) => Math.max(0, ...arrays(list).map(({ length }) => length)));
  const count = [plain, again, described, signed].filter(({ answer }) => isSuccess(answer)).length;
  const isThere = isListedAt(t, lists.all, plain.url) || after === before + count;
  expectThat(isThere, `${inList}`, `a list of ${after} webhooks; before ${count} registrations, the list had ${before}`);
});

clause('webhook.create.takes-description', {}, async (t) => {
  const { plain, described, lists } = await registrations(t);
  registered(t, lists.all, plain, described);
});

clause('webhook.create.token-optional', {}, async (t) => {
  const { plain, signed, lists } = await registrations(t);
  registered(t, lists.all, plain, signed);
});

clause('webhook.create.same-url-again', {}, async (t) => {
  const { plain, again, lists } = await registrations(t);
  await controlAccepts(t, 'the first registration of the URL', plain.answer);
  expectSuccess(again.answer, 'a second registration of the same URL');
  const ids = idsOf(t, lists.all, plain.url);
  expectSame(ids.length, 2, 'records of the URL in the list');
  expectThat(ids[0] !== ids[1], 'different IDs for the two webhooks', `${ids[0]} twice`);
});

clause('webhook.list.of-account', {}, async (t) => {
  const { plain, described, signed, lists } = await registrations(t);
  for (const { url, answer } of [plain, described, signed]) {
    await controlAccepts(t, 'the webhook was accepted', answer);
    expectThat(isListedAt(t, lists.all, url), 'each of three webhooks in the list', 'a list without one of them');
  }
});

clause('webhook.delete.removes', {}, async (t) => {
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

clause('webhook.delete.unknown-is-404', {}, async (t) => {
  const { plain, lists, deletions: deleted } = await deletions(t);
  await controlAccepts(t, 'deleting a webhook', deleted.first);
  expectStatus(deleted.unknown, 404, 'deleting an unknown webhook');
  expectStatus(deleted.again, 404, 'deleting a webhook a second time');
  expectThat(isListedAt(t, lists.without, plain.url), 'the other webhook in the list', notInList);
});

const tooFew = (what: string) => new Untested('control-failed', `too few deliveries arrived to disable a webhook: ${what}`);

clause('webhook.disabled-after-failures', { needs }, async (t) => {
  const { looks, boxes, of, missing } = await deliveryScenario(t);
  for (const { failures, listed, voided } of looks.filter((look) => look.failures < mostFailures)) {
    const when = voided ? ` after ${voided.name} was voided` : '';
    expectThat(listed.has(boxes.failing), `a webhook with ${failures} failures in the list${when}`, notInList);
  }
  for (const { failuresBefore, listed } of looks.filter((look) => look.failuresBefore >= mostFailures))
    expectThat(!listed.has(boxes.failing), `a webhook with ${failuresBefore} failures not in the list`, inList);
  const [count, sent] = [of(boxes.failing).length, of(boxes.signed).length];
  t.reliesOn(missing([boxes.failing, boxes.signed]));
  if (sent < mostFailures) throw tooFew(`${sent} of ${mostFailures}`);
  expectThat(count >= mostFailures, `${mostFailures} deliveries to a failing webhook`, `${count} of ${sent}`);
});

/** The webhook `relapsing` replies 200 to its second delivery and 500 to all others. */
clause('webhook.failures-count-for-life', { needs }, async (t) => {
  const { looks, boxes, of, missing } = await deliveryScenario(t);
  const failures = of(boxes.relapsing).length - 1;
  const isListed = looks.at(-1)?.listed.has(boxes.relapsing);
  t.reliesOn(missing([boxes.relapsing]));
  if (failures < mostFailures) {
    if (isListed) throw tooFew(`${failures} of ${mostFailures}, with a success in between`);
    throw new Untested('control-failed', `the webhook was disabled after ${failures} failures`);
  }
  if (isListed && failures - 1 >= mostFailures)
    throw tooFew(`the webhook is still in the list after ${failures - 1} failures in a row`);
  expectThat(!isListed, `a webhook disabled by ${failures} failures with a success in between`, inList);
});

/** Throws Untested if too few deliveries arrived to disable the webhook `failing`. */
function hasFailed(t: Trial, { boxes, of, missing }: DeliveryScenario): void {
  t.reliesOn(missing([boxes.failing]));
  const count = of(boxes.failing).length;
  if (count < mostFailures) throw tooFew(`${count} of ${mostFailures}`);
}

clause('webhook.list.enabled-only', { needs }, async (t) => {
  const scenario = await deliveryScenario(t);
  const { looks, boxes } = scenario;
  const last = looks.at(-1);
  hasFailed(t, scenario);
  controlHolds(t, 'a webhook that succeeds is in the list', last?.listed.has(boxes.signed) === true);
  expectThat(last?.listed.has(boxes.failing) === false, 'a disabled webhook not in the list', inList);
});

clause('webhook.disabled-gets-no-deliveries', { needs }, async (t) => {
  const scenario = await deliveryScenario(t);
  const { looks, boxes, of } = scenario;
  const isDisabled = ({ failuresBefore, listed }: (typeof looks)[number]) =>
    failuresBefore >= mostFailures || !listed.has(boxes.failing);
  const disabled = looks.findIndex(isDisabled);
  if (disabled < 0) hasFailed(t, scenario);
  const later = looks.slice(disabled + 1);
  const voids = (box: Mailbox) => later.flatMap(({ voided }) => of(box, voided, 'giftcard/voided'));
  await controlDelivered(t, 'bare', 'giftcard/voided');
  controlHolds(t, 'deliveries of later events arrived at another webhook', voids(boxes.signed).length > 0);
  expectSame(voids(boxes.failing).length, 0, 'deliveries to a disabled webhook');
});

clause('webhook.create-again-re-enables', { needs }, async (t) => {
  const scenario = await deliveryScenario(t);
  const { looks, boxes, missing, of, cards, revivedIds } = scenario;
  hasFailed(t, scenario);
  if (!revivedIds) throw tooFew('the webhook was still in the list, so it could not be registered again');
  expectThat(looks.at(-1)?.listed.has(boxes.revived) === true, 'a webhook that was registered again in the list', notInList);
  await controlDelivered(t, 'bare', 'giftcard/voided');
  const came = of(boxes.revived, cards.bare, 'giftcard/voided').length > 0;
  t.reliesOn(missing([boxes.revived], cards.bare));
  expectThat(came, 'deliveries to a webhook that was registered again', 'none');
});
