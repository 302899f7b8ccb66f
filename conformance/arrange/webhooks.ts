import type { Answer, Ask } from '../client.ts';
import type { Mailbox } from '../receiver.ts';
import { idOf, leaves, mentions, recordsWith } from '../structure.ts';
import { arranged, type Trial } from '../trial.ts';
import { Untested } from '../verdict.ts';

const list: Ask = { method: 'GET', path: '/api/Webhook/List' };

type Entry = ReturnType<Trial['run']['ledger']['openWebhook']>;

export interface WebhookFields {
  url?: string;
  description?: string | undefined;
  requestHeaderVerificationToken?: string | undefined;
}

/** An address that no name server knows, so that a delivery to it reaches nobody. The ledger has it before it is asked for. */
export function registration(t: Trial): { ask: Ask; url: string; entry: Entry } {
  const url = `https://conformance.invalid/${t.run.ledger.fresh()}`;
  return { ask: asking({ url }), url, entry: t.run.ledger.openWebhook(url) };
}

const asking = (fields: WebhookFields): Ask => ({
  method: 'POST',
  path: '/api/Webhook/Create',
  body: { description: 'Created by a conformance run', ...fields },
});

export interface Registered {
  readonly url: string;
  readonly answer: Answer;
  readonly entry: Entry;
}

/** Asks for a webhook and judges nothing. */
export async function register(t: Trial, url: string, fields: WebhookFields = {}, key?: string): Promise<Registered> {
  t.stillWanted();
  const entry = t.run.ledger.openWebhook(url, key);
  const { requestHeaderVerificationToken: token } = fields;
  if (token !== undefined) t.run.names.learn(token, '«token»');
  const answer = await t.send('register a webhook', { ...asking({ url, ...fields }), ...(key === undefined ? {} : { key }) });
  t.run.ledger.settle(entry, answer);
  return { url, answer, entry };
}

/** The same without a URL: the ledger has the description, by which the list tells it from others. */
export async function registerWithoutUrl(t: Trial): Promise<Registered> {
  t.stillWanted();
  const description = t.run.ledger.fresh('GCS-W');
  const entry = t.run.ledger.openWebhook(description);
  const answer = await t.send('register a webhook without a URL', asking({ description }));
  t.run.ledger.settle(entry, answer);
  return { url: description, answer, entry };
}

/**
 * An address for a webhook that nothing need arrive at: at the receiver where the target takes that, because it may look whether somebody is there,
 * or else at a host that does not exist.
 */
export const address = async (t: Trial): Promise<string> => (await place(t)).url;

/** The same, and the mailbox where it is one. */
export async function place(t: Trial): Promise<{ url: string; box: Mailbox | undefined }> {
  const { receiver, ledger } = t.run;
  const takesReceiver = await t.shared('whether the target takes a webhook at the receiver', async (shared) => {
    if (!receiver) return false;
    const { url } = await receiver.mailbox('first');
    const { answer } = await register(shared, url);
    if (answer.status === 200) await removeAll(shared, [url]);
    return answer.status === 200;
  });
  const box = receiver && takesReceiver ? await receiver.mailbox('quiet') : undefined;
  return { url: box?.url ?? `https://conformance.invalid/${ledger.fresh()}`, box };
}

export const listWebhooks = (t: Trial, key?: string) =>
  t.send('list webhooks', { ...list, ...(key === undefined ? {} : { key }) });

/** What the list holds now. Blocked when it does not answer. */
export const listed = async (t: Trial, key?: string): Promise<unknown> =>
  arranged(await listWebhooks(t, key), 'listing webhooks').json;

/** The IDs by which the webhooks with the URL are deleted, in the order of the list. Untested `fact-missing` where a record shows none. */
export function idsOf(json: unknown, url: string): (string | number)[] {
  return recordsWith(json, url).map((record) => {
    const id = idOf(record);
    if (id === undefined)
      throw new Untested('fact-missing', `no ID is found in the record of a webhook: ${JSON.stringify(leaves(record))}`);
    return id;
  });
}

export const deleteWebhook = (t: Trial, id: string | number, key?: string) =>
  t.send('delete a webhook', {
    method: 'DELETE',
    path: `/api/Webhook/Delete/${encodeURIComponent(id)}`,
    ...(key === undefined ? {} : { key }),
  });

/** Deletes every webhook at the URLs, as it is listed, so that nothing more is delivered there; what a list does not show any more is gone. */
export async function removeAll(t: Trial, urls: readonly string[], key?: string): Promise<void> {
  const before = await listed(t, key);
  for (const entry of t.run.ledger.webhooks)
    if (urls.includes(entry.url) && entry.state === 'created') t.run.ledger.mayBeGone(entry);
  for (const url of urls) for (const id of idsOf(before, url)) await deleteWebhook(t, id, key);
  const after = await listed(t, key);
  for (const entry of t.run.ledger.webhooks)
    if (urls.includes(entry.url) && entry.state === 'created' && !mentions(after, entry.url)) t.run.ledger.gone(entry);
}
