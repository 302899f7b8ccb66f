import { isSuccess } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { arrays, certainIdOf, leaves, unknownIdLike } from '../http/json-search.ts';
import { Untested } from '../safety/policy.ts';
import { goneById, ownRecords } from '../safety/record-cleanup.ts';
import { withKey } from './cards.ts';

interface WebhookFields {
  readonly description?: string;
  readonly requestHeaderVerificationToken?: string;
}

const createRequest = (body: WebhookFields & { url: string }) => ({ method: 'POST', path: '/api/Webhook/Create', body }) as const;

/** Returns a URL that no delivery reaches, because no name server knows its host. */
const unreachableUrl = (t: Trial) => `https://conformance.invalid/${t.run.ledger.fresh()}`;

/** Records a registration in the ledger, and returns the request. The caller sends the request. */
export function registration(t: Trial) {
  const url = unreachableUrl(t);
  return { ...createRequest({ url, description: 'Created by a conformance run' }), entry: t.run.ledger.openWebhook(url) };
}

/** Returns a description that no other webhook has. The description identifies a webhook in a list without URLs. */
const uniqueDescription = (t: Trial, text = 'Created by a conformance run'): string => `${text} ${t.run.ledger.fresh('GCS-W')}`;

type Registered = Awaited<ReturnType<typeof sendRegistration>>;

/** Registers a webhook and expects nothing of the response. Throws Untested `fact-missing` if the list does not show the run's webhooks, because the run could not delete the webhook. */
export async function register(t: Trial, url: string, fields: WebhookFields = {}, key?: string): Promise<Registered> {
  if ((await firstWebhook(t)).isHidden)
    throw new Untested('fact-missing', 'the run could not find its webhooks in the list, so it could not delete them');
  return sendRegistration(t, url, { description: uniqueDescription(t), ...fields }, key);
}

async function sendRegistration(t: Trial, url: string, fields: WebhookFields, key?: string) {
  t.throwIfOver();
  const entry = t.run.ledger.openWebhook(url, key, fields.description);
  const { requestHeaderVerificationToken: token } = fields;
  if (token !== undefined) t.run.redactor.learn(token, '«token»');
  const response = await t.send('register a webhook', { ...createRequest({ url, ...fields }), entry, ...withKey(key) });
  t.run.ledger.recordResponse(entry, response);
  return { url, response, entry };
}

/** Returns a URL for a webhook whose deliveries do not matter. Prefers the receiver, because the target may check the URL with a request. */
export async function quietUrl(t: Trial): Promise<string> {
  const { acceptsReceiver } = await firstWebhook(t);
  const box = acceptsReceiver ? await t.run.receiver?.mailbox('quiet') : undefined;
  return box?.url ?? unreachableUrl(t);
}

/** Registers and deletes one webhook, to learn what the run can do. `isHidden` is true if the list has one more record, but the run cannot recognize the record as its own. */
export function firstWebhook(t: Trial) {
  return t.shared('the first webhook', async (shared) => {
    const count = (json: unknown) => arrays(json)[0]?.length ?? 0;
    const urls = [(await shared.run.receiver?.mailbox('first'))?.url, unreachableUrl(shared)];
    for (const url of urls) {
      if (url === undefined) continue;
      const before = await getWebhookList(shared);
      const { response, entry } = await sendRegistration(shared, url, { description: uniqueDescription(shared) });
      if (!isSuccess(response)) continue;
      const after = await getWebhookList(shared);
      const [record] = ownRecords(after, entry);
      await removeAll(shared, [url]);
      return { acceptsReceiver: url === urls[0], record, isHidden: record === undefined && count(after) > count(before) };
    }
    return { acceptsReceiver: false, record: undefined, isHidden: false };
  });
}

export async function sendListWebhooks(t: Trial, key?: string): Promise<TargetResponse> {
  const response = await t.send('list webhooks', { method: 'GET', path: '/api/Webhook/List', ...withKey(key) });
  if (response.status === 200) t.run.ledger.noteList(response.json, key);
  return response;
}

/** Returns the body of the list. Throws Blocked if the request fails. */
export const getWebhookList = async (t: Trial, key?: string): Promise<unknown> =>
  mustSucceed(await sendListWebhooks(t, key), 'listing webhooks').json;

function recordsAt(t: Trial, json: unknown, url: string): unknown[] {
  const entries = t.run.ledger.webhooks.filter((entry) => entry.url === url);
  return [...new Set(entries.flatMap((entry) => ownRecords(json, entry)))];
}

export const isListedAt = (t: Trial, json: unknown, url: string): boolean => recordsAt(t, json, url).length > 0;

/** Returns the IDs of the run's webhooks at the URL. Throws Untested `fact-missing` if a record has no ID. */
export function idsOf(t: Trial, json: unknown, url: string): (string | number)[] {
  return recordsAt(t, json, url).map((record) => {
    const id = certainIdOf(record);
    if (id === undefined)
      throw new Untested('fact-missing', `no ID is found in the record of a webhook: ${JSON.stringify(leaves(record))}`);
    return id;
  });
}

export const sendDeleteWebhook = (t: Trial, id: string | number, key?: string) =>
  t.send('delete a webhook', { method: 'DELETE', path: `/api/Webhook/Delete/${encodeURIComponent(id)}`, ...withKey(key) });

/** Deletes the run's webhooks at the URLs. If the list no longer shows a webhook, the ledger records the webhook as deleted. */
export async function removeAll(t: Trial, urls: readonly string[], key?: string): Promise<void> {
  const before = await getWebhookList(t, key);
  const own = t.run.ledger.webhooks.filter(({ url, state }) => urls.includes(url) && state === 'created');
  for (const url of urls) for (const id of idsOf(t, before, url)) await sendDeleteWebhook(t, id, key);
  const after = await getWebhookList(t, key);
  for (const entry of own) {
    const { id, shown } = entry;
    const isGone = shown
      ? ownRecords(after, entry).length === 0
      : id !== undefined && (await goneById(() => sendDeleteWebhook(t, id, key)));
    if (isGone) t.run.ledger.mark(entry, 'gone');
  }
}

/** A text that is shorter than the descriptions of other webhooks, because the length limit of descriptions is open. */
const freeText = 'Free text ✓, "quoted" <&>';

/** Registers webhooks in every way that the specification states. Then deletes `described`, then `again`, then the rest. */
export function registerInEveryWay(t: Trial) {
  return t.shared('webhooks that are registered and deleted', async (shared) => {
    const urls = [await quietUrl(shared), await quietUrl(shared), await quietUrl(shared)] as const;
    const before = await getWebhookList(shared);
    const plain = await register(shared, urls[0]);
    const described = await register(shared, urls[1], { description: uniqueDescription(shared, freeText) });
    const signed = await register(shared, urls[2], { requestHeaderVerificationToken: 'a-token-of-the-registrations' });
    const again = await register(shared, urls[0]);
    const all = await getWebhookList(shared);
    const [id] = idsOf(shared, all, urls[1]);
    const remove = (each: string | number) => sendDeleteWebhook(shared, each);
    /** Undefined if the list did not show the described webhook. */
    const deletions =
      id === undefined
        ? undefined
        : { unknown: await remove(unknownIdLike(id)), first: await remove(id), again: await remove(id) };
    const without = await getWebhookList(shared);
    const [, second] = idsOf(shared, all, urls[0]);
    if (second !== undefined) await remove(second);
    const last = await getWebhookList(shared);
    await removeAll(shared, urls);
    return { plain, again, described, signed, lists: { before, all, without, last }, deletions };
  });
}

/** Returns the registrations and their deletions. Throws Blocked if the list did not show the webhook to delete. */
export async function deletions(t: Trial) {
  const made = await registerInEveryWay(t);
  mustSucceed(made.described.response, 'registering a webhook');
  if (!made.deletions) throw new Blocked('a registered webhook is not in the list');
  return { ...made, deletions: made.deletions };
}
