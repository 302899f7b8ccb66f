import { arranged, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer, Ask } from '../http/exchange.ts';
import type { Mailbox } from '../http/receiver.ts';
import { arrays, idOf, leaves } from '../http/structure.ts';
import { goneById, ownRecords } from '../safety/own-records.ts';

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
  const entry = t.run.ledger.openWebhook(url);
  return { ask: { ...asking({ url }), entry }, url, entry };
}

const asking = (fields: WebhookFields): Ask => ({
  method: 'POST',
  path: '/api/Webhook/Create',
  body: { description: 'Created by a conformance run', ...fields },
});

/** A description that no other webhook has, by which the list tells it from others should it not show its URL. */
export const described = (t: Trial, text = 'Created by a conformance run'): string => `${text} ${t.run.ledger.fresh('GCS-W')}`;

export interface Registered {
  readonly url: string;
  readonly answer: Answer;
  readonly entry: Entry;
}

/**
 * Asks for a webhook and judges nothing, of which a description that is given must be no other's. Untested `fact-missing` where the list could not
 * tell it from others, so that nobody could delete it again.
 */
export async function register(t: Trial, url: string, fields: WebhookFields = {}, key?: string): Promise<Registered> {
  const { shows } = await first(t);
  if (shows === 'nothing' || (shows === 'description' && 'description' in fields && fields.description === undefined))
    throw new Untested('fact-missing', 'the list shows of a webhook nothing by which it could be told from others and deleted');
  return registered(t, url, { description: described(t), ...fields }, key);
}

async function registered(t: Trial, url: string, fields: WebhookFields, key?: string): Promise<Registered> {
  t.stillWanted();
  const entry = t.run.ledger.openWebhook(url, key, fields.description);
  const { requestHeaderVerificationToken: token } = fields;
  if (token !== undefined) t.run.names.learn(token, '«token»');
  const ask = { ...asking({ url, ...fields }), entry };
  const answer = await t.send('register a webhook', { ...ask, ...(key === undefined ? {} : { key }) });
  t.run.ledger.settle(entry, answer);
  return { url, answer, entry };
}

/**
 * An address for a webhook that nothing need arrive at: at the receiver where the target takes that, because it may look whether somebody is there,
 * or else at a host that does not exist.
 */
export const address = async (t: Trial): Promise<string> => (await place(t)).url;

/** The same, and the mailbox where it is one. */
export async function place(t: Trial): Promise<{ url: string; box: Mailbox | undefined }> {
  const { receiver, ledger } = t.run;
  const { takesReceiver } = await first(t);
  const box = receiver && takesReceiver ? await receiver.mailbox('quiet') : undefined;
  return { url: box?.url ?? `https://conformance.invalid/${ledger.fresh()}`, box };
}

/** The list's record of a webhook of the run, which may be gone by now; undefined where none is found. */
export const ownRecord = async (t: Trial): Promise<unknown> => (await first(t)).record;

interface First {
  readonly takesReceiver: boolean;
  /** Its record in the list, where that is told from others. */
  readonly record?: unknown;
  /** What the list shows of a webhook that no other has; of one that it does not hold nobody knows. */
  readonly shows: 'url' | 'description' | 'id' | 'nothing' | 'unknown';
}

/** The run's first webhook, which shows whether others can be deleted again. */
function first(t: Trial): Promise<First> {
  return t.shared('whether the target takes a webhook at the receiver', async (shared) => {
    const { receiver, ledger } = shared.run;
    const count = (json: unknown) => arrays(json)[0]?.length ?? 0;
    const urls = [(await receiver?.mailbox('first'))?.url, `https://conformance.invalid/${ledger.fresh()}`];
    for (const url of urls) {
      if (url === undefined) continue;
      const before = await listed(shared);
      const { answer, entry } = await registered(shared, url, { description: described(shared) });
      if (answer.status !== 200) continue;
      const after = await listed(shared);
      const [record] = ownRecords(after, entry);
      await removeAll(shared, [url]);
      const takesReceiver = url === urls[0];
      if (record === undefined) return { takesReceiver, shows: count(after) > count(before) ? 'nothing' : 'unknown' };
      const shown = leaves(record).map(({ value }) => value);
      return { takesReceiver, record, shows: shown.includes(url) ? 'url' : shown.includes(entry.mark) ? 'description' : 'id' };
    }
    return { takesReceiver: false, shows: 'unknown' };
  });
}

export async function listWebhooks(t: Trial, key?: string): Promise<Answer> {
  const answer = await t.send('list webhooks', { ...list, ...(key === undefined ? {} : { key }) });
  if (answer.status === 200) t.run.ledger.listed(answer.json, key);
  return answer;
}

/** What the list holds now. Blocked when it does not answer. */
export const listed = async (t: Trial, key?: string): Promise<unknown> =>
  arranged(await listWebhooks(t, key), 'listing webhooks').json;

/** The list's records of the webhooks that the run has registered at the URL. */
function recordsAt(t: Trial, json: unknown, url: string): unknown[] {
  const entries = t.run.ledger.webhooks.filter((entry) => entry.url === url);
  return [...new Set(entries.flatMap((entry) => ownRecords(json, entry)))];
}

/** Whether the list holds a webhook that the run has registered at the URL. */
export const isListedAt = (t: Trial, json: unknown, url: string): boolean => recordsAt(t, json, url).length > 0;

/** The IDs by which they are deleted. Untested `fact-missing` where a record shows none. */
export function idsOf(t: Trial, json: unknown, url: string): (string | number)[] {
  return recordsAt(t, json, url).map((record) => {
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

/** Deletes every webhook at the URLs, so that nothing more is delivered there; what a list has shown and does not show any more is gone. */
export async function removeAll(t: Trial, urls: readonly string[], key?: string): Promise<void> {
  const before = await listed(t, key);
  const own = t.run.ledger.webhooks.filter(({ url, state }) => urls.includes(url) && state === 'created');
  for (const entry of own) t.run.ledger.mayBeGone(entry);
  for (const url of urls) for (const id of idsOf(t, before, url)) await deleteWebhook(t, id, key);
  const after = await listed(t, key);
  for (const entry of own) {
    const { id, shown } = entry;
    if (shown ? ownRecords(after, entry).length === 0 : id !== undefined && (await goneById(() => deleteWebhook(t, id, key))))
      t.run.ledger.gone(entry);
  }
}
