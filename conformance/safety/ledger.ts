import { randomBytes, randomUUID } from 'node:crypto';
import { isMissing, type TargetResponse } from '../http/exchange.ts';
import type { Redactor } from '../http/redactor.ts';
import { provesAbsent } from './card-cleanup.ts';
import { cardPath, cleanupRequests, idIn } from './cleanup-requests.ts';
import type { Client } from './client.ts';
import {
  accountOfKey,
  type EntryState,
  isCard,
  isRecord,
  type LedgerCard,
  type LedgerEntry,
  type RecordEntry,
  type TargetKeys,
} from './entries.ts';
import type { LedgerFolder, RunFile } from './ledger-folder.ts';
import { noteShown } from './record-cleanup.ts';
import { sweep } from './sweep.ts';

type NewEntry = Pick<LedgerCard, 'kind' | 'name' | 'code' | 'own'> | Pick<RecordEntry, 'kind' | 'what' | 'url'>;

/** The cards and webhooks of a run. The ledger stores each entry before the request is sent, so that cleanup finds the card even if the response is lost. */
export class Ledger {
  readonly all: LedgerEntry[] = [];
  /** Part of all codes. Has only upper-case letters and digits, because every sales channel accepts these. */
  readonly runId = freshRunId();
  readonly #redactor: Redactor;
  readonly #keys: TargetKeys;
  readonly #lookedUp = new Set<LedgerCard>();
  #file: RunFile | undefined;
  #serial = 0;

  constructor(redactor: Redactor, keys: TargetKeys) {
    this.#redactor = redactor;
    this.#keys = keys;
    // Reports show a placeholder for the run ID. Reports of two runs with the same steps are then equal.
    redactor.learnMark(this.runId);
  }

  /** Creates the ledger file of the run, and locks it so that no other process cleans up this run. */
  async storeIn(folder: LedgerFolder): Promise<void> {
    this.#file = await folder.begin(this.runId, this.#keys);
  }

  /** Releases the lock, and deletes the file if nothing is left. */
  async close(): Promise<void> {
    const file = this.#file;
    // A request may still get its response after the ledger is closed. Such a response is not stored.
    this.#file = undefined;
    await file?.close();
  }

  get webhooks(): RecordEntry[] {
    return this.all.filter(isRecord);
  }

  /** Returns a value that no other run has, for codes, names and addresses. */
  fresh(prefix = 'GCS'): string {
    return `${prefix}${this.runId}${this.#next()}`;
  }

  /** Returns a unique value for idempotency. The value is a GUID, because some services accept nothing else. */
  unique(prefix: string): string {
    const value = randomUUID().toUpperCase();
    this.#redactor.learn(value, `${prefix}«run»${this.#next()}`);
    return value;
  }

  #next(): string {
    this.#serial += 1;
    return String(this.#serial).padStart(4, '0');
  }

  open(code: string, key?: string): LedgerCard {
    return this.#openCard({ code, own: code.toUpperCase().includes(this.runId) }, key);
  }

  /** Stores a card whose code the service will choose. The first custom field must be the entry's mark, because cleanup finds the card by this field. */
  openUncoded(): LedgerCard {
    return this.#openCard({ code: '', mark: this.fresh('GCS-M'), own: false });
  }

  /** Stores the cards of an automation event. Cleanup finds the cards by the recipient, so no other event may have the same recipient. */
  openIssued(recipient: string, key?: string): LedgerCard {
    return this.#openCard({ code: '', recipient, own: false }, key);
  }

  #openCard(fields: Pick<LedgerCard, 'code' | 'mark' | 'recipient' | 'own'>, key?: string): LedgerCard {
    const name = `card#${this.all.filter(isCard).length + 1}`;
    const { code, mark = '', recipient = '' } = fields;
    this.#redactor.learn(code, name);
    this.#redactor.learn(mark, `${name}.mark`);
    this.#redactor.learn(recipient, `${name}.recipient`);
    return this.#open({ kind: 'card', name, ...fields }, key);
  }

  /** Stores a webhook that is about to be registered. `mark` is the description if no other webhook has the same description. */
  openWebhook(url: string, key?: string, mark?: string): RecordEntry {
    return this.#open({ kind: 'record', what: 'webhook', url, ...(mark === undefined ? {} : { mark }) }, key);
  }

  #open<E extends NewEntry>(fields: E, key?: string) {
    const account = accountOfKey(key, this.#keys);
    const entry = { ...fields, number: this.all.length + 1, account, key, sent: Date.now(), state: 'requested' as EntryState };
    this.#file?.open(entry);
    this.all.push(entry);
    return entry;
  }

  readonly #store = (entry: LedgerEntry): void => this.#file?.change(entry);

  /** Stores the response to a creating request. A refusal does not prove that nothing was created. If `isConfirmed` is false, a success does not prove the creation. */
  recordResponse(entry: LedgerEntry, { status, json }: Pick<TargetResponse, 'status' | 'json'>, isConfirmed = true): void {
    entry.responseStatus = status;
    if (status >= 200 && status < 300) {
      if (isConfirmed) entry.state = 'created';
      const id = idIn(json);
      if (id !== undefined) entry.id = id;
    } else if (entry.state !== 'created' && (status < 500 || isMissing(status))) {
      // If the run cannot recognize its card, a look-up may find a card of another client. So the run trusts the refusal.
      const canBeFound = entry.kind === 'record' || entry.own || entry.mark !== undefined || entry.recipient !== undefined;
      entry.state = canBeFound ? 'uncertain' : 'refused';
    }
    this.#store(entry);
  }

  setCode(entry: LedgerCard, code: string): void {
    entry.code = code;
    this.#redactor.learn(code, entry.name);
    this.#store(entry);
  }

  /** Stores the state that a check has proved. */
  mark(entry: LedgerEntry, state: EntryState): void {
    entry.state = state;
    this.#store(entry);
  }

  /** Notes that a test has voided a card of the run's own account. */
  noteVoid(code: string): void {
    for (const entry of this.all) if (entry.code === code && entry.state === 'created') entry.voided = true;
  }

  noteList(json: unknown, key?: string): void {
    const account = accountOfKey(key, this.#keys);
    noteShown(
      json,
      this.webhooks.filter((entry) => entry.account === account),
      this.#store,
    );
  }

  /** Stores that uncertain entries do not exist. Skips entries with an index below `since`. */
  markNoneCreated(since: number): void {
    for (const entry of this.all.slice(since)) if (entry.state === 'uncertain') this.mark(entry, 'refused');
  }

  /** Looks up each refused card once. If the card does not exist, the budget no longer counts the card. */
  async lookUpRefused(client: Client): Promise<void> {
    for (const entry of this.all.filter(isCard)) {
      if (entry.state !== 'uncertain' || entry.code === '' || this.#lookedUp.has(entry)) continue;
      this.#lookedUp.add(entry);
      const { get } = cleanupRequests(client, entry);
      const response = await get(cardPath('Get', 'Code', entry.code)).catch(() => undefined);
      if (response && provesAbsent(response, entry, this.all)) this.mark(entry, 'refused');
    }
  }

  sweep(client: Client): Promise<void> {
    return sweep(client, this.all, this.#store);
  }
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const freshRunId = () => [...randomBytes(6)].map((byte) => alphabet[byte % alphabet.length]).join('');
