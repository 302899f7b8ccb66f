import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { otherBody, taken } from '../core/form.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { arrays, arraysIn, idOf, instantOfAny, leaves, mentions, namesIn, stepsTo } from '../http/structure.ts';
import { ownRecords } from '../safety/own-records.ts';
import { nowThere } from '../scenarios/clock.ts';
import { season } from '../scenarios/delivery-scenario.ts';
import { voidedDelivery } from '../scenarios/one-delivery.ts';
import { receiverOf } from '../scenarios/receiver-of.ts';
import { deletions, registrations, token } from '../scenarios/registrations.ts';
import { address, listed, type Registered, register, registerWithoutUrl, removeAll } from '../scenarios/webhooks.ts';
import { calledAt, namedIn, onlyPlace, wrappedIn } from './names.ts';

const needs = ['receiver'] as const;
/** A webhook's record in the list. Blocked when it is not listed. */
async function recordOf(t: Trial): Promise<{ record: unknown; url: string; description: string }> {
  const { plain, lists } = await registrations(t);
  arranged(plain.answer, 'registering a webhook');
  const [record] = ownRecords(lists.all, plain.entry);
  if (record === undefined) throw new Blocked('a webhook that was registered is not in the list');
  return { record, url: plain.url, description: plain.entry.mark ?? '' };
}

/** Where the record holds the value. */
const placeIn = (record: unknown, value: string) => leaves(record).find((leaf) => leaf.value === value)?.path;

function bodyOf<R extends string>(
  { json, body }: Answer,
  record: R | undefined,
  url?: string,
): R | 'true' | 'empty' | SomethingElse {
  if (record !== undefined && mentions(json, url)) return record;
  if (json === true) return 'true';
  return body.trim() === '' ? 'empty' : otherBody(json);
}

probe('webhook.create.body', {}, async (t) => {
  const { plain, lists } = await registrations(t);
  const { answer, url } = plain;
  const [record] = ownRecords(lists.all, plain.entry);
  const seen = bodyOf(arranged(answer, 'registering a webhook'), 'the-record', url);
  const [there, within = ''] = [answer.json, record].map((json) => placeIn(json, url));
  const wrap = there?.endsWith(within) ? stepsTo(there.slice(0, there.length - within.length)) : undefined;
  return seen !== 'the-record' || !wrap ? seen : { reading: seen, shown: { rows: [{ wrap: 'createWebhook', in: wrap }] } };
});

probe('webhook.list.shape', {}, async (t) => {
  const json = await listed(t);
  if (Array.isArray(json)) return 'array';
  const [first, ...others] = arraysIn(json).filter(({ path }) => stepsTo(path) !== undefined);
  return others.length > 0
    ? somethingElse(`in one of several lists: ${namesIn(json).join(', ')}`)
    : wrappedIn(first?.path, ['webhooks']);
});

probe('webhook.list.id-name', {}, async (t) => {
  const { record } = await recordOf(t);
  const id = idOf(record);
  return namedIn(
    record,
    onlyPlace(record, (value) => value === id),
    'id',
    'webhookId',
  );
});

probe('webhook.list.url-name', {}, async (t) => {
  const { record, url } = await recordOf(t);
  return calledAt(placeIn(record, url), ['url', 'webhookUrl']);
});

probe('webhook.list.description-name', {}, async (t) => {
  const { record, description } = await recordOf(t);
  return calledAt(placeIn(record, description), ['description', 'name']);
});

probe('webhook.list.created-name', {}, async (t) => {
  const { record } = await recordOf(t);
  const isMoment = (value: unknown) => Math.abs((instantOfAny(value) ?? 0) - nowThere(t)) < 3_600_000;
  return namedIn(record, onlyPlace(record, isMoment), 'createdAtUtc', 'createdAt');
});

probe('webhook.list.order', {}, async (t) => {
  const { plain, again, described, signed, lists } = await registrations(t);
  const all = arrays(lists.all).flat();
  const placesOf = (...those: Registered[]) =>
    those.flatMap(({ entry }) => ownRecords(lists.all, entry)).map((record) => all.indexOf(record));
  // The first one is there twice, once before and once after the others.
  const twice = placesOf(plain, again);
  const [one, last] = [Math.min(...twice), Math.max(...twice)];
  const [two, three] = [...placesOf(described), ...placesOf(signed)];
  if (twice.length === 0 || two === undefined || three === undefined)
    throw new Blocked('a webhook that was registered is not in the list');
  if (one === last || !(one < Math.min(two, three) && Math.max(two, three) < last)) return somethingElse('in another order');
  return two < three ? 'oldest-first' : 'newest-first';
});

probe('webhook.token-in-answers', {}, async (t) => {
  const { signed, lists } = await registrations(t);
  if (String(JSON.stringify(lists.all)).includes(token)) return somethingElse('the list shows it');
  return arranged(signed.answer, 'registering a webhook').body.includes(token) ? 'at-creation' : 'never';
});

probe('webhook.delete.body', {}, async (t) =>
  bodyOf<never>(arranged((await deletions(t)).deletions.first, 'deleting a webhook'), undefined),
);

probe('webhook.delete.disabled', { needs }, async (t) => {
  const { deletionOfDisabled } = await season(t);
  if (!deletionOfDisabled) throw new Untested('control-failed', 'no webhook was disabled');
  const { status } = deletionOfDisabled;
  return status === 200 ? 'deleted' : status === 404 ? '404' : somethingElse(`answers ${status}`);
});

probe('webhook.create.url-required', {}, async (t) => {
  const { lists, plain } = await registrations(t);
  if (!mentions(lists.all, plain.entry.mark))
    throw new Untested(
      'fact-missing',
      'the list shows no description, by which a webhook without a URL could be found and deleted',
    );
  const { answer, url } = await registerWithoutUrl(t);
  if (answer.status === 200) await removeAll(t, [url]);
  return taken(answer, 'required', 'optional');
});

probe('webhook.create.other-schemes', {}, async (t) => {
  const url = `http://conformance.invalid/${t.run.ledger.fresh()}`;
  const { answer } = await register(t, url);
  if (answer.status === 200) await removeAll(t, [url]);
  return taken(answer, 'refused', 'accepted');
});

probe('webhook.create.description-required', {}, async (t) => {
  const url = await address(t);
  const { answer } = await register(t, url, { description: undefined });
  if (answer.status === 200) await removeAll(t, [url]);
  return taken(answer, 'required', 'optional');
});

probe('webhook.create.url-checked', { needs }, async (t) => {
  const receiver = receiverOf(t);
  const box = await receiver.mailbox('new');
  arranged((await register(t, box.url)).answer, 'registering a webhook');
  const came = await receiver.until(() => box.arrivals.length > 0, 500);
  await removeAll(t, [box.url]);
  if (!came) return 'never';
  const text = box.arrivals[0]?.bytes.toString('utf8').trim();
  return text === '{}' ? 'test-request' : somethingElse('it is called with another body than an empty object');
});

probe('webhook.create.again-while-disabled', { needs }, async (t) => {
  const { revivedIds, wasRevived } = await season(t);
  if (!wasRevived) throw new Untested('control-failed', 'no webhook was disabled before the last void');
  return revivedIds.after.some((id) => revivedIds.before.includes(id)) ? 'same-record' : 'new-record';
});

probe('webhook.create.blank-token', { needs }, async (t) => {
  const arrival = await voidedDelivery(t, {}, { requestHeaderVerificationToken: '' });
  if (!arrival) return 'refused';
  return arrival.headers['hmac-signature-sha256'] === undefined ? 'unsigned' : somethingElse('signed with an empty token');
});
