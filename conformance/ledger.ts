import { randomBytes } from 'node:crypto';
import type { Answer, Client } from './client.ts';
import type { Names } from './names.ts';
import { idOf, mentions, recordWith } from './structure.ts';

export interface LedgerEntry {
  name: string;
  code: string;
  key: string | undefined;
  state: State;
}

type State = 'asked' | 'created' | 'refused' | 'gone' | 'left';

interface WebhookEntry {
  /** Used by no other webhook, and all that it is known by. */
  url: string;
  state: State;
}

/**
 * Every card that the run asked for, written down before it is asked for, so that a lost answer leaves no card behind:
 * the suite chooses the code and can look it up.
 */
export class Ledger {
  readonly entries: LedgerEntry[] = [];
  readonly webhooks: WebhookEntry[] = [];
  readonly #names: Names;
  /** Upper-case letters and digits only, so that every sales channel takes the codes of the run. */
  readonly runId = [...randomBytes(6)].map((byte) => alphabet[byte % alphabet.length]).join('');
  #serial = 0;

  constructor(names: Names) {
    this.#names = names;
  }

  /** A value that nobody else has used: for codes and unique ids. */
  fresh(prefix = 'GCS'): string {
    this.#serial += 1;
    return `${prefix}${this.runId}${String(this.#serial).padStart(4, '0')}`;
  }

  open(code: string, key: string | undefined): LedgerEntry {
    const entry: LedgerEntry = { name: `card#${this.entries.length + 1}`, code, key, state: 'asked' };
    this.entries.push(entry);
    this.#names.learn(code, entry.name);
    return entry;
  }

  openWebhook(url: string): WebhookEntry {
    const entry: WebhookEntry = { url, state: 'asked' };
    this.webhooks.push(entry);
    return entry;
  }

  settle(entry: LedgerEntry | WebhookEntry, answer: Answer): void {
    if (answer.status >= 200 && answer.status < 300) entry.state = 'created';
    else if (answer.status < 500) entry.state = 'refused';
  }

  voided(code: string): void {
    for (const entry of this.entries) if (entry.code === code && entry.state === 'created') entry.state = 'gone';
  }

  /** Deletes and voids in reverse what may still be there. What cannot be proven gone is marked as left. */
  async sweep(client: Client): Promise<void> {
    await this.sweepWebhooks(client);
    for (const entry of this.entries.toReversed()) {
      if (pending(entry)) entry.state = (await isGone(client, entry)) ? 'gone' : 'left';
    }
  }

  async sweepWebhooks(client: Client): Promise<void> {
    for (const entry of this.webhooks.toReversed()) {
      if (pending(entry)) entry.state = (await isDeleted(client, entry)) ? 'gone' : 'left';
    }
  }
}

const pending = ({ state }: { state: State }) => state === 'asked' || state === 'created';

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

async function isGone(client: Client, { code, key }: LedgerEntry): Promise<boolean> {
  const named = encodeURIComponent(code);
  const withKey = key === undefined ? {} : { key };
  try {
    const answer = await client.send({ method: 'DELETE', path: `/api/GiftCard/VoidByCode/${named}`, ...withKey });
    if (answer.status === 200) return true;
    const look = await client.send({ method: 'GET', path: `/api/GiftCard/GetByCode/${named}`, ...withKey });
    return look.status === 404 || (look.json as { status?: unknown } | undefined)?.status === 'Voided';
  } catch {
    return false;
  }
}

/**
 * Deletes the webhook by the id in the list record that holds its URL, and by nothing else, for other webhooks are not the run's to touch.
 * One that was created and is not listed may stand on another account, and is left.
 */
async function isDeleted(client: Client, { url, state }: WebhookEntry): Promise<boolean> {
  const list = () => client.send({ method: 'GET', path: '/api/Webhook/List' });
  try {
    const before = await list();
    const record = recordWith(before.json, url);
    if (record === undefined) return before.status === 200 && state === 'asked';
    const id = idOf(record);
    if (id === undefined) return false;
    await client.send({ method: 'DELETE', path: `/api/Webhook/Delete/${encodeURIComponent(id)}` });
    const after = await list();
    return after.status === 200 && !mentions(after.json, url);
  } catch {
    return false;
  }
}
