import { randomBytes, randomUUID } from 'node:crypto';
import type { Client } from '../http/client.ts';
import type { Answer } from '../http/exchange.ts';
import type { Redactor } from '../http/redactor.ts';
import { isProvenAbsent } from './card-cleanup.ts';
import { idIn, isMissing } from './cleanup-requests.ts';
import { type CardEntry, type Entry, isCard, isRecord, type Keys, type RecordEntry, type State } from './entries.ts';
import { accountOf } from './keys.ts';
import type { LedgerFolder, RunFile } from './ledger-folder.ts';
import { noteShown } from './record-cleanup.ts';
import { sweep } from './sweep.ts';

/**
 * Everything that the run creates. Each entry is stored before its request is sent, so that a lost answer leaves nothing behind:
 * the suite chooses the code and can look it up.
 */
export class Ledger {
  readonly all: Entry[] = [];
  /** Upper-case letters and digits only, so that every sales channel accepts the codes of the run. */
  readonly runId = freshRunId();
  readonly #redactor: Redactor;
  readonly #keys: Keys;
  readonly #lookedUp = new Set<CardEntry>();
  #file: RunFile | undefined;
  #serial = 0;

  constructor(redactor: Redactor, keys: Keys) {
    this.#redactor = redactor;
    this.#keys = keys;
    // Reports show a placeholder for it, so that two reports of the same run steps are equal.
    redactor.learnMark(this.runId);
  }

  /** Creates the ledger file of the run, which locks it for other processes. */
  async storeIn(folder: LedgerFolder): Promise<void> {
    this.#file = await folder.begin(this.runId, this.#keys);
  }

  /** Releases the lock. The file is deleted if nothing is left. */
  async close(): Promise<void> {
    const file = this.#file;
    // A check that is over may still get an answer.
    this.#file = undefined;
    await file?.close();
  }

  get webhooks(): RecordEntry[] {
    return this.all.filter(isRecord);
  }

  /** Returns a value that is unique to this run: for codes, names and addresses. */
  fresh(prefix = 'GCS'): string {
    return `${prefix}${this.runId}${this.#next()}`;
  }

  /** Returns a unique value for idempotency: a GUID, because some services accept nothing else. */
  unique(prefix: string): string {
    const value = randomUUID().toUpperCase();
    this.#redactor.learn(value, `${prefix}«run»${this.#next()}`);
    return value;
  }

  #next(): string {
    this.#serial += 1;
    return String(this.#serial).padStart(4, '0');
  }

  /** Stores a card that is about to be created with this code. */
  open(code: string, key?: string): CardEntry {
    return this.#openCard({ code, own: code.toUpperCase().includes(this.runId) }, key);
  }

  /** Stores a card whose code the service will choose. Its first custom field must hold the entry's mark, which finds it if the answer is lost. */
  openUncoded(): CardEntry {
    return this.#openCard({ code: '', mark: this.fresh('GCS-M'), own: false });
  }

  /** Stores the cards that an automation event is about to issue to an address of their own, which finds them if the answer is lost. */
  openIssued(recipient: string, key?: string): CardEntry {
    return this.#openCard({ code: '', recipient, own: false }, key);
  }

  #openCard(fields: Pick<CardEntry, 'code' | 'mark' | 'recipient' | 'own'>, key?: string): CardEntry {
    const name = `card#${this.all.filter(isCard).length + 1}`;
    const { code, mark = '', recipient = '' } = fields;
    this.#redactor.learn(code, name);
    this.#redactor.learn(mark, `${name}.mark`);
    this.#redactor.learn(recipient, `${name}.recipient`);
    return this.#open<CardEntry>({ kind: 'card', name, ...fields, ...this.#common(key) });
  }

  /** Stores a webhook that is about to be registered. `mark` is its description, if no other webhook has the same. */
  openWebhook(url: string, key?: string, mark?: string): RecordEntry {
    const marked = mark === undefined ? {} : { mark };
    return this.#open<RecordEntry>({ kind: 'record', what: 'webhook', url, ...marked, ...this.#common(key) });
  }

  #common(key: string | undefined) {
    return { number: this.all.length + 1, account: accountOf(key, this.#keys), key, sent: Date.now(), state: 'asked' as const };
  }

  #open<E extends Entry>(entry: E): E {
    this.#file?.open(entry);
    this.all.push(entry);
    return entry;
  }

  readonly #store = (entry: Entry): void => this.#file?.change(entry);

  /**
   * Stores the answer to a creating request. `isConfirmed` is false when a success does not confirm a creation. A refusal proves nothing: whether the
   * service keeps its refusals is what the suite tests.
   */
  recordAnswer(entry: Entry, { status, json }: Pick<Answer, 'status' | 'json'>, isConfirmed = true): void {
    entry.answered = status;
    if (status >= 200 && status < 300) {
      if (isConfirmed) entry.state = 'created';
      const id = idIn(json);
      if (id !== undefined) entry.id = id;
    } else if (entry.state !== 'created' && (status < 500 || isMissing(status))) {
      // A card under a code that another client may have chosen proves nothing: it may have existed before.
      const canBeFound = entry.kind === 'record' || entry.own || entry.mark !== undefined || entry.recipient !== undefined;
      entry.state = canBeFound ? 'doubted' : 'refused';
    }
    this.#store(entry);
  }

  /** Stores the code that the service chose. */
  setCode(entry: CardEntry, code: string): void {
    entry.code = code;
    this.#redactor.learn(code, entry.name);
    this.#store(entry);
  }

  /** Stores what a check found out about an entry. */
  mark(entry: Entry, state: State): void {
    entry.state = state;
    this.#store(entry);
  }

  /** Stores which webhooks of an account a list shows. */
  noteList(json: unknown, key?: string): void {
    const account = accountOf(key, this.#keys);
    noteShown(
      json,
      this.webhooks.filter((entry) => entry.account === account),
      this.#store,
    );
  }

  /** Stores that none of the entries refused since index `since` exists, because a look-up has shown it. */
  markNoneCreated(since: number): void {
    for (const entry of this.all.slice(since)) if (entry.state === 'doubted') this.mark(entry, 'refused');
  }

  /** Looks up each refused card once. The budget of those that do not exist is free again. */
  async lookUpRefused(client: Client): Promise<void> {
    for (const entry of this.all.filter(isCard)) {
      if (entry.state !== 'doubted' || entry.code === '' || this.#lookedUp.has(entry)) continue;
      this.#lookedUp.add(entry);
      if (await isProvenAbsent(client, entry, this.all).catch(() => false)) this.mark(entry, 'refused');
    }
  }

  /** Deletes and voids, newest first, everything that may still exist. */
  sweep(client: Client): Promise<void> {
    return sweep(client, this.all, this.#store);
  }
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const freshRunId = () => [...randomBytes(6)].map((byte) => alphabet[byte % alphabet.length]).join('');
