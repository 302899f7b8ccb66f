import { randomBytes, randomUUID } from 'node:crypto';
import type { Profile } from '../core/target.ts';
import type { Client } from '../http/client.ts';
import type { Answer, Exchange } from '../http/exchange.ts';
import type { Redactor } from '../http/redactor.ts';
import { isProvenAbsent, provesAbsent } from './card-cleanup.ts';
import { isMissing } from './cleanup-requests.ts';
import { type AccountName, type CardEntry, type Entry, isRecord, type RecordEntry } from './entries.ts';
import { ownRecords } from './record-cleanup.ts';
import { isKeyNeverAccepted } from './refusals.ts';
import { sweep } from './sweep.ts';

/** Stores a run's entries beyond the process. */
export interface LedgerWriter {
  /** Returns once the entry is flushed to disk. */
  opened(entry: Entry): void;
  changed(entry: Entry): void;
}

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
  /** Upper-case letters and digits only, so that every sales channel takes the codes of the run. */
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

  /** The cards of an event are known, and each has its own entry. */
  accounted(entry: CardEntry): void {
    entry.state = 'refused';
    this.#writer?.changed(entry);
  }

  /** Stores the code that the service chose. */
  coded(entry: CardEntry, code: string): void {
    entry.code = code;
    this.#redactor.learn(code, entry.name);
    this.#writer?.changed(entry);
  }

  /** Stores a webhook that is about to be registered. `mark` is its description, if no other webhook has the same. */
  openWebhook(url: string, key?: string, mark?: string): RecordEntry {
    return this.openRecord(webhook, url, key, mark);
  }

  /** Stores a record that is about to be created. No other record of its list may have the value. */
  openRecord(kind: RecordKind, value: string, key?: string, mark?: string): RecordEntry {
    const known = mark === undefined ? { url: value } : { url: value, mark };
    return this.#opened<RecordEntry>({ kind: 'record', ...kind, ...known, ...this.#common(key) });
  }

  /** Notes which webhooks a list shows: for those, a later list without them is proof that they are gone. */
  listed(json: unknown, key?: string): void {
    const account = this.#accountOf(key);
    for (const entry of this.webhooks) if (entry.account === account && ownRecords(json, entry).length > 0) this.shown(entry);
  }

  shown(entry: RecordEntry): void {
    if (entry.shown) return;
    entry.shown = true;
    this.#writer?.changed(entry);
  }

  /**
   * Stores the answer to a creating request. `made` is false when the answer does not confirm a creation. A refusal proves nothing: whether the
   * service keeps its refusals is what the suite tests.
   */
  settle(entry: Entry, answer: Answer, made = true): void {
    if (answer.status >= 200 && answer.status < 300) {
      entry.state = 'created';
      if (made) entry.made = true;
      const id = (answer.json as { id?: unknown } | null | undefined)?.id;
      if (typeof id === 'string' || typeof id === 'number') entry.id = id;
    } else if (answer.status < 500 || isMissing(answer.status)) entry.state = canBeLookedFor(entry) ? 'doubted' : 'refused';
    entry.answered = answer.status;
    this.#answers.set(entry, answer.exchange);
    this.#writer?.changed(entry);
  }

  /** The answer does not confirm a creation; only a look-up can. */
  doubt(entry: CardEntry): void {
    entry.state = 'doubted';
    this.#writer?.changed(entry);
  }

  /** Notes a look-up by a check, which may show that a refused card does not exist. */
  seen(code: string, key: string | undefined, answer: Answer): void {
    for (const entry of this.entries) {
      if (entry.state !== 'doubted' || entry.code !== code || entry.account !== this.#accountOf(key)) continue;
      if (provesAbsent(answer, entry, this.all)) this.#refuted(entry, false);
    }
  }

  /** Looks up each refused card once. The budget of those that do not exist is free again. */
  async prove(client: Client): Promise<void> {
    for (const entry of this.entries) {
      if (entry.state !== 'doubted' || entry.code === '' || this.#lookedAt.has(entry)) continue;
      this.#lookedAt.add(entry);
      if (await isProvenAbsent(client, entry, this.all).catch(() => false)) this.#refuted(entry, true);
    }
  }

  /** A look-up has shown that none of the entries refused since index `since` exists. */
  noneMade(since: number): void {
    for (const entry of this.all.slice(since)) {
      if (entry.state !== 'doubted') continue;
      entry.state = 'refused';
      this.#writer?.changed(entry);
      if (entry.kind === 'card') this.onProvenAbsent(entry, false);
    }
  }

  #refuted(entry: CardEntry, cleaning: boolean): void {
    entry.state = 'refused';
    this.#writer?.changed(entry);
    this.onProvenAbsent(entry, cleaning);
  }

  /** The request was not sent. */
  withdraw(entry: Entry): void {
    // An earlier request for it may have created it.
    if (entry.state !== 'asked') return;
    entry.state = 'refused';
    this.#writer?.changed(entry);
  }

  voided(code: string): void {
    for (const entry of this.entries) if (entry.code === code && entry.state === 'created') entry.voided = true;
  }

  /** From now on a list without it proves that it is gone: it is about to be deleted, or the service may remove it. */
  mayBeGone(entry: RecordEntry): void {
    entry.removing = true;
    this.#writer?.changed(entry);
  }

  /** The record no longer exists. */
  gone(entry: Entry): void {
    entry.state = 'gone';
    this.#writer?.changed(entry);
  }

  /** Deletes and voids, newest first, everything that may still exist. What cannot be proven gone is marked as left. */
  sweep(client: Client): Promise<void> {
    const onSettled = (entry: Entry) => {
      if (entry.kind === 'card' && entry.state === 'refused') this.onProvenAbsent(entry, true);
      this.#writer?.changed(entry);
    };
    return sweep(
      client,
      this.all,
      onSettled,
      (entry) => !entry.made && isKeyNeverAccepted(this.#answers.get(entry), client.exchanges),
    );
  }

  #card(fields: Pick<CardEntry, 'code' | 'mark' | 'recipient' | 'own'>, key: string | undefined): CardEntry {
    const entry = this.#opened<CardEntry>({
      kind: 'card',
      name: `card#${this.entries.length + 1}`,
      ...fields,
      ...this.#common(key),
    });
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
    return (['secondKey', 'deletedKey', 'basicKey'] as const).find((entry) => this.#profile[entry] === key) ?? 'other';
  }
}

/** A card under a code that another client may have chosen proves nothing: it may have existed before. */
const canBeLookedFor = (entry: Entry) =>
  entry.kind === 'record' || entry.own || entry.mark !== undefined || entry.recipient !== undefined;

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const freshRunId = () => [...randomBytes(6)].map((byte) => alphabet[byte % alphabet.length]).join('');
