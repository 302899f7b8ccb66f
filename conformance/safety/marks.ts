import type { Client } from '../client.ts';
import { arrays, leaves, mentions } from '../structure.ts';
import type { CardEntry } from './entries.ts';
import { asking } from './taking.ts';

/** Finds cards whose codes the service chose by the marks that they carry. */
export class Marks {
  readonly #client: Client;
  /** The latest cards by their marks, looked through once for all that were refused. */
  #latest: Promise<Map<unknown, Found>> | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Whether there is one, whose code and id the entry then has. */
  async found(entry: CardEntry): Promise<boolean> {
    if (entry.state === 'doubted' && entry.key === undefined) this.#latest ??= marked(this.#client, entry);
    const found = await (entry.state === 'doubted' && entry.key === undefined
      ? this.#latest
      : marked(this.#client, entry, entry.mark));
    const card = found?.get(entry.mark);
    if (!card) return false;
    entry.code = card.code;
    if (card.id !== undefined) entry.id ??= card.id;
    return true;
  }
}

interface Found {
  readonly code: string;
  readonly id: string | number | undefined;
}

/**
 * The latest of the list by their first custom fields: what a list record calls the code or the id is open, so that whatever may be one is looked up,
 * and the custom field decides. With a mark it ends once that is found.
 */
async function marked(client: Client, account: Pick<CardEntry, 'key'>, mark?: string): Promise<Map<unknown, Found>> {
  const { get } = asking(client, account);
  const found = new Map<unknown, Found>();
  const { json } = await get('/api/GiftCard/List', { pageSize: 50 });
  const records = arrays(json)[0];
  if (!records) throw new Error('the list shows no cards');
  const mentioning = mark === undefined ? [] : records.filter((record) => mentions(record, mark));
  for (const record of mentioning.length > 0 ? mentioning : records) {
    const tries = namesIn(record).flatMap((value) =>
      ['GetByCode', 'GetById'].map((path) => `${path}/${encodeURIComponent(value)}`),
    );
    for (const path of tries) {
      const card = (await get(`/api/GiftCard/${path}`)).json as Record<string, unknown> | null;
      if (typeof card?.code !== 'string') continue;
      const { id } = card;
      found.set(card.customField1, { code: card.code, id: typeof id === 'string' || typeof id === 'number' ? id : undefined });
      if (mark !== undefined && card.customField1 === mark) return found;
      break;
    }
  }
  return found;
}

/** Values of a list record that may be its code or its id, likely ones first. */
export function namesIn(record: unknown): (string | number)[] {
  const likely = /code|number|id$|ref/i;
  return leaves(record)
    .filter(({ value }) => (typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)) || Number.isInteger(value))
    .toSorted((one, other) => Number(likely.test(other.path)) - Number(likely.test(one.path)))
    .map(({ value }) => value as string | number)
    .slice(0, 4);
}
