import { randomBytes, randomUUID } from 'node:crypto';
import type { Profile } from '../core/target.ts';
import type { Client } from '../http/client.ts';
import type { Answer, Exchange } from '../http/exchange.ts';
import type { Redactor } from '../http/redactor.ts';
import { isProvenAbsent, provesAbsent } from './card-cleanup.ts';
import { isMissing } from './cleanup-requests.ts';
import {
  type AccountName,
  type CardEntry,
  canBeLookedFor,
  type Entry,
  type EntryStatus,
  isRecord,
  type LedgerWriter,
  profileKeys,
  type RecordEntry,
} from './entries.ts';
import { ownRecords } from './record-cleanup.ts';
import { isKeyNeverAccepted } from './refusals.ts';
import { sweep } from './sweep.ts';

type Change = Partial<Pick<EntryStatus, 'state' | 'made' | 'answered' | 'id'>>;

/** How a record is listed and deleted. */
type RecordKind = Pick<RecordEntry, 'what' | 'list' | 'remove'>;

const webhook: RecordKind = { what: 'webhook', list: '/api/Webhook/List', remove: '/api/Webhook/Delete/{id}' };

/**
 * Everything that the run creates. Each entry is stored before its request is sent, so that a lost answer leaves nothing behind:
 * the suite chooses the code and can look it up.
 */
export class Ledger {
  readonly all: Entry[] = [];
  readonly #redactor: Redactor;
  readonly #profile: Profile;
  readonly #key: string | undefined;
  readonly #writer: LedgerWriter | undefined;
  /** Upper-case letters and digits only, so that every sales channel accepts the codes of the run. */
  readonly runId = freshRunId();
  /** Called when a look-up shows that a refused card does not exist. `cleaning` is false when a check made the look-up for itself. */
  onProvenAbsent: (entry: CardEntry, cleaning: boolean) => void = () => undefined;
  readonly #lookedAt = new Set<CardEntry>();
  readonly #answers = new Map<Entry, Exchange>();
  #serial = 0;
  #number = 0;

  constructor(redactor: Redactor, profile: Profile = {}, key?: string, writer?: (runId: string) => LedgerWriter) {
    this.#redactor = redactor;
    this.#profile = profile;
    this.#key = key;
    this.#writer = writer?.(this.runId);
    // Reports show a placeholder for it, so that two reports of the same run steps are equal.
    redactor.learnMark(this.runId);
  }

  /** The cards. */
  get entries(): CardEntry[] {
    return this.all.filter((entry) => entry.kind === 'card');
  }

  get webhooks(): RecordEntry[] {
    return this.all.filter(isRecord).filter(({ what }) => what === 'webhook');
  }

  /** A value that is unique to this run: for codes, names and addresses. */
  fresh(prefix = 'GCS'): string {
    return `${prefix}${this.runId}${this.#next()}`;
  }

  /** A unique value for idempotency: a GUID, because some services accept nothing else. */
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
  open(code: string, key: string | undefined): CardEntry {
    return this.#card({ code, own: code.toUpperCase().includes(this.runId) }, key);
  }

  /** Stores a card whose code the service will choose. Its first custom field must hold the entry's mark, which finds it if the answer is lost. */
  openUncoded(key?: string): CardEntry & { readonly mark: string } {
    const mark = this.fresh('GCS-M');
    const entry = this.#card({ code: '', mark, own: false }, key);
    this.#redactor.learn(mark, `${entry.name}.mark`);
    return Object.assign(entry, { mark });
  }

  /** Stores the cards that an automation event is about to issue to an address of their own, which finds them if the answer is lost. */
  openIssued(recipient: string, key?: string): CardEntry {
    const entry = this.#card({ code: '', recipient, own: false }, key);
    this.#redactor.learn(recipient, `${entry.name}.recipient`);
    return entry;
  }

  /** Stores a webhook that is about to be registered. `mark` is its description, if no other webhook has the same. */
  openWebhook(url: string, key?: string, mark?: string): RecordEntry {
    return this.openRecord(webhook, url, key, mark);
  }

  /** Stores a record that is about to be created. No other record of its list may have the value. */
  openRecord(kind: RecordKind, value: string, key?: string, mark?: string): RecordEntry {
    return this.#opened<RecordEntry>({ kind: 'record', ...kind, url: value, ...(mark ? { mark } : {}), ...this.#common(key) });
  }

  /**
   * Stores the answer to a creating request. `made` is false when the answer does not confirm a creation. A refusal proves nothing: whether the
   * service keeps its refusals is what the suite tests.
   */
  recordAnswer(entry: Entry, answer: Answer, made = true): void {
    const { status, exchange } = answer;
    this.#answers.set(entry, exchange);
    const change: Change = { answered: status };
    if (status >= 200 && status < 300) {
      change.state = 'created';
      if (made) change.made = true;
      const id = (answer.json as { id?: unknown } | null | undefined)?.id;
      if (typeof id === 'string' || typeof id === 'number') change.id = id;
    } else if (status < 500 || isMissing(status)) change.state = canBeLookedFor(entry) ? 'doubted' : 'refused';
    this.#change(entry, change);
  }

  /** The cards of an event are known, and each has its own entry. */
  closeIssued(entry: CardEntry): void {
    this.#change(entry, { state: 'refused' });
  }

  /** Stores the code that the service chose. */
  setCode(entry: CardEntry, code: string): void {
    entry.code = code;
    this.#redactor.learn(code, entry.name);
    this.#change(entry, {});
  }

  /** The answer does not confirm a creation; only a look-up can. */
  markDoubted(entry: CardEntry): void {
    this.#change(entry, { state: 'doubted' });
  }

  /** The request was not sent. An earlier request for the entry may still have created it. */
  cancel(entry: Entry): void {
    if (entry.state === 'asked') this.#change(entry, { state: 'refused' });
  }

  /** The record no longer exists. */
  markGone(entry: Entry): void {
    this.#change(entry, { state: 'gone' });
  }

  /** From now on a list without it proves that it is gone: it is about to be deleted, or the service may remove it. */
  markRemoving(entry: RecordEntry): void {
    entry.removing = true;
    this.#change(entry, {});
  }

  /** Notes which webhooks a list shows: for those, a later list without them is proof that they are gone. */
  noteList(json: unknown, key?: string): void {
    for (const entry of this.webhooks) {
      if (entry.shown || entry.account !== this.#accountOf(key) || ownRecords(json, entry).length === 0) continue;
      entry.shown = true;
      this.#change(entry, {});
    }
  }

  /** Notes that a check voided the card, so that a look-up is enough to clean it up. */
  noteVoid(code: string): void {
    for (const entry of this.entries) if (entry.code === code && entry.state === 'created') entry.voided = true;
  }

  /** Notes a look-up by a check, which may show that a refused card does not exist. */
  noteLookup(code: string, key: string | undefined, answer: Answer): void {
    for (const entry of this.#doubted())
      if (entry.code === code && entry.account === this.#accountOf(key) && provesAbsent(answer, entry, this.all))
        this.#markAbsent(entry, false);
  }

  /** A look-up has shown that none of the entries refused since index `since` exists. */
  markNoneCreated(since: number): void {
    for (const entry of this.all.slice(since)) if (entry.state === 'doubted') this.#markAbsent(entry, false);
  }

  /** Looks up each refused card once. The budget of those that do not exist is free again. */
  async lookUpRefused(client: Client): Promise<void> {
    for (const entry of this.#doubted()) {
      if (entry.code === '' || this.#lookedAt.has(entry)) continue;
      this.#lookedAt.add(entry);
      if (await isProvenAbsent(client, entry, this.all).catch(() => false)) this.#markAbsent(entry, true);
    }
  }

  /** Deletes and voids, newest first, everything that may still exist. What cannot be proven gone is marked as left. */
  sweep(client: Client): Promise<void> {
    const onSettled = (entry: Entry) => {
      if (entry.kind === 'card' && entry.state === 'refused') this.onProvenAbsent(entry, true);
      this.#change(entry, {});
    };
    const isKeyUnknown = (entry: Entry) => !entry.made && isKeyNeverAccepted(this.#answers.get(entry), client.exchanges);
    return sweep(client, this.all, onSettled, isKeyUnknown);
  }

  #doubted(): CardEntry[] {
    return this.entries.filter(({ state }) => state === 'doubted');
  }

  #markAbsent(entry: Entry, isCleaning: boolean): void {
    this.#change(entry, { state: 'refused' });
    if (entry.kind === 'card') this.onProvenAbsent(entry, isCleaning);
  }

  #change(entry: Entry, change: Change): void {
    Object.assign(entry, change);
    this.#writer?.changed(entry);
  }

  #card(fields: Pick<CardEntry, 'code' | 'mark' | 'recipient' | 'own'>, key: string | undefined): CardEntry {
    const name = `card#${this.entries.length + 1}`;
    const entry = this.#opened<CardEntry>({ kind: 'card', name, ...fields, ...this.#common(key) });
    this.#redactor.learn(entry.code, entry.name);
    return entry;
  }

  #common(key: string | undefined) {
    this.#number += 1;
    return { number: this.#number, account: this.#accountOf(key), key, sent: Date.now(), state: 'asked' as const };
  }

  #opened<E extends Entry>(entry: E): E {
    this.#writer?.opened(entry);
    this.all.push(entry);
    return entry;
  }

  #accountOf(key: string | undefined): AccountName {
    if (key === undefined || key === this.#key) return 'key';
    return profileKeys.find((name) => this.#profile[name] === key) ?? 'other';
  }
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const freshRunId = () => [...randomBytes(6)].map((byte) => alphabet[byte % alphabet.length]).join('');
