import { clause } from '../core/clause.ts';
import { accepted, hasStatus, holds, same } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Mailbox } from '../http/receiver.ts';
import { arrays } from '../http/structure.ts';
import { unlessLate } from '../scenarios/deliveries.ts';
import { deliveryScenario, mostFailures } from '../scenarios/delivery-scenario.ts';
import { deletions, idsOf, isListedAt, registrations } from '../scenarios/webhooks.ts';

const needs = ['receiver'] as const;

clause('webhook.create.answers-200', {}, async (t) => {
  const { plain, lists } = await registrations(t);
  accepted(plain.answer, 'a webhook’s registration');
  await t.control('the webhook is in the list', async () =>
    holds(isListedAt(t, lists.all, plain.url), 'it', 'a list without it'),
  );
});

clause('webhook.create.registers', {}, async (t) => {
  const { plain, again, described, signed, lists } = await registrations(t);
  await t.control('the list did not hold the webhook before', async () =>
    holds(!isListedAt(t, lists.before, plain.url), 'a list without it', 'it'),
  );
  accepted(plain.answer, 'a webhook’s registration');
  // Which fields a record has is open, and so nothing need be among them by which a webhook is known.
  const [before, after] = [lists.before, lists.all].map((list) => Math.max(0, ...arrays(list).map(({ length }) => length)));
  const taken = [plain, again, described, signed].filter(({ answer }) => answer.status === 200).length;
  const isThere = isListedAt(t, lists.all, plain.url) || after === (before ?? 0) + taken;
  holds(isThere, `the webhook in the list, of ${before} before`, `a list of ${after} after ${taken} registrations, without it`);
});

clause('webhook.create.takes-description', {}, async (t) => {
  const { plain, described, lists } = await registrations(t);
  for (const { answer, url } of [plain, described]) {
    accepted(answer, 'a registration with a description');
    holds(isListedAt(t, lists.all, url), 'the webhook in the list', 'a list without it');
  }
});

clause('webhook.create.token-optional', {}, async (t) => {
  const { plain, signed, lists } = await registrations(t);
  for (const [what, { answer, url }] of [
    ['without a token', plain],
    ['with a token', signed],
  ] as const) {
    accepted(answer, `a registration ${what}`);
    holds(isListedAt(t, lists.all, url), `a webhook ${what} in the list`, 'a list without it');
  }
});

clause('webhook.create.same-url-again', {}, async (t) => {
  const { plain, again, lists } = await registrations(t);
  await t.control('the URL is taken for the first time', async () => accepted(plain.answer, 'a registration'));
  accepted(again.answer, 'a second registration of the same URL');
  const ids = idsOf(t, lists.all, plain.url);
  same(ids.length, 2, 'records of the URL in the list');
  holds(ids[0] !== ids[1], 'an ID of its own for each', `${ids[0]} twice`);
});

clause('webhook.list.of-account', {}, async (t) => {
  const { plain, described, signed, lists } = await registrations(t);
  for (const { url, answer } of [plain, described, signed]) {
    await t.control('the webhook was taken', async () => accepted(answer, 'a registration'));
    holds(isListedAt(t, lists.all, url), 'each of three webhooks in the list', 'a list without one of them');
  }
});

clause('webhook.delete.removes', {}, async (t) => {
  const { described, plain, lists, pair, deletions: deleted } = await deletions(t);
  accepted(deleted.first, 'deleting a webhook');
  holds(!isListedAt(t, lists.without, described.url), 'a list without the deleted webhook', 'it in the list');
  holds(isListedAt(t, lists.without, plain.url), 'the other webhook still in the list', 'a list without it');
  if (pair) same(pair.left, pair.before.slice(0, 1), 'IDs left of two records with the same URL, of which the last was deleted');
  if (!t.run.receiver) {
    t.doesNotCheck('that it gets no further deliveries: there is no receiver');
    return;
  }
  const { boxes, of, cards } = await deliveryScenario(t);
  const voids = (box: Mailbox) => Object.values(cards).flatMap((on) => of(box, on, 'giftcard/voided'));
  await t.control('another webhook got deliveries of what happened after that', async () =>
    holds(voids(boxes.signed).length > 0, 'some', 'none'),
  );
  same(voids(boxes.deleted).length, 0, 'deliveries to a deleted webhook');
});

clause('webhook.delete.unknown-is-404', {}, async (t) => {
  const { plain, lists, deletions: deleted } = await deletions(t);
  await t.control('a webhook that exists is deleted', async () => accepted(deleted.first, 'deleting it'));
  hasStatus(deleted.unknown, 404, 'deleting a webhook that does not exist');
  hasStatus(deleted.again, 404, 'deleting a webhook a second time');
  holds(isListedAt(t, lists.without, plain.url), 'the other webhook untouched', 'a list without it');
});

/** What came to the webhook that fails always, look by look. */
async function failures(t: Trial) {
  const made = await deliveryScenario(t);
  const { boxes, looks } = made;
  const seen = looks.map((look) => ({ ...look, failures: look.received.get(boxes.failing) ?? 0 }));
  return { ...made, seen, last: seen.at(-1) };
}

const needsFailures = (what: string) =>
  new Untested('control-failed', `too few deliveries came for a webhook to be disabled: ${what}`);

clause('webhook.disabled-after-failures', { needs }, async (t) => {
  const { seen, boxes, of } = await failures(t);
  for (const { failures, listed, voided } of seen)
    if (failures < mostFailures)
      holds(
        listed.has(boxes.failing),
        `a webhook with ${failures} failures listed${voided ? ` after ${voided.name} was voided` : ''}`,
        'a list without it',
      );
  const [came, all] = [of(boxes.failing).length, of(boxes.signed).length];
  if (all < mostFailures) throw needsFailures(`${all} of ${mostFailures}`);
  unlessLate(t, () => holds(came >= mostFailures, `deliveries until ${mostFailures} have failed`, `${came} of ${all}`));
  // The first look may come before the failure is counted, but the last before the next event does not.
  const settled = seen.filter(({ voided }, place) => voided !== seen[place + 1]?.voided);
  unlessLate(t, () => {
    for (const { failures, listed } of settled)
      if (failures >= mostFailures)
        holds(!listed.has(boxes.failing), `a webhook with ${failures} failures not in the list`, 'it in the list');
  });
});

clause('webhook.failures-count-for-life', { needs }, async (t) => {
  const { looks, boxes, of } = await deliveryScenario(t);
  const came = of(boxes.relapsing).length;
  // The first failed, the second did not, and all that came since failed.
  const [all, sinceSuccess] = [came - 1, came - 2];
  const isListed = looks.at(-1)?.listed.has(boxes.relapsing);
  if (all < mostFailures) {
    if (isListed) throw needsFailures(`${all} of ${mostFailures}, with a success between`);
    throw new Untested('control-failed', `the webhook was disabled after ${all} failures`);
  }
  if (isListed && sinceSuccess >= mostFailures)
    throw needsFailures('it was not disabled although so many failed without a success between');
  unlessLate(t, () => holds(!isListed, `a webhook disabled by ${all} failures with a success between`, 'it in the list'));
});

clause('webhook.list.enabled-only', { needs }, async (t) => {
  const { last, boxes } = await failures(t);
  if (!last || last.failures < mostFailures) throw needsFailures(`${last?.failures} of ${mostFailures}`);
  await t.control('a webhook that works is in the list', async () =>
    holds(last.listed.has(boxes.signed), 'it', 'a list without it'),
  );
  unlessLate(t, () => holds(!last.listed.has(boxes.failing), 'a disabled webhook not in the list', 'it in the list'));
});

clause('webhook.disabled-gets-no-deliveries', { needs }, async (t) => {
  const { seen, boxes, of } = await failures(t);
  const disabled = seen.findIndex(({ failures, listed }) => failures >= mostFailures || !listed.has(boxes.failing));
  if (disabled < 0) throw needsFailures(`${of(boxes.failing).length} of ${mostFailures}`);
  const since = [...new Set(seen.slice(disabled + 1).map(({ voided }) => voided))].filter((on) => on !== seen[disabled]?.voided);
  const voids = (box: Mailbox) => since.flatMap((on) => of(box, on, 'giftcard/voided'));
  await t.control('another webhook got deliveries of what happened after that', async () =>
    holds(voids(boxes.signed).length > 0, 'some', 'none'),
  );
  unlessLate(t, () => same(voids(boxes.failing).length, 0, 'deliveries to a disabled webhook'));
});

clause('webhook.create-again-re-enables', { needs }, async (t) => {
  const { looks, boxes, of, cards, wasRevived } = await deliveryScenario(t);
  if (!wasRevived) throw needsFailures('it was still listed, so that it could not be registered again');
  holds(looks.at(-1)?.listed.has(boxes.revived) === true, 'a webhook that was registered again in the list', 'a list without it');
  const came = of(boxes.revived, cards.bare, 'giftcard/voided').length > 0;
  unlessLate(t, () => holds(came, 'deliveries to a webhook that was registered again', 'none'));
});
