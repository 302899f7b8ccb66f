import { randomBytes, randomUUID } from 'node:crypto';
import type { Profile } from '../core/target.ts';
import type { Client } from '../http/client.ts';
import type { Answer, Exchange } from '../http/exchange.ts';
import type { Names } from '../http/redactor.ts';
import { neverMade, showsNothingNew } from './card-cleanup.ts';
import { isMissing } from './cleanup-requests.ts';
import type { AccountName, CardEntry, Entry, RecordEntry } from './entries.ts';
import { isRecord, ownRecords } from './own-records.ts';
import { isProof } from './refusals.ts';
import { sweep } from './sweep.ts';

export type { CardEntry as LedgerEntry } from './entries.ts';

/** Where a ledger is kept beyond the process. */
export interface Keeper {
  /** Returns when the entry is on the disk. */
  opened(entry: Entry): void;
  changed(entry: Entry): void;
}

/** How a record that is no card is found and deleted; see RecordEntry. */
type Way = Pick<RecordEntry, 'what' | 'list' | 'remove'>;

const webhook: Way = { what: 'webhook', list: '/api/Webhook/List', remove: '/api/Webhook/Delete/{id}' };

/**
 * Everything that the run asked for, written down before it is asked for, so that a lost answer leaves nothing behind:
 * the suite chooses the code and can look it up.
 */
export class Ledger {
  readonly all: Entry[] = [];
  readonly #names: Names;
  readonly #profile: Profile;
  readonly #key: string | undefined;
  readonly #keeper: Keeper | undefined;
  /** Upper-case letters and digits only, so that every sales channel takes the codes of the run. */
  readonly runId = freshRunId();
  /** Is told of a card that was refused once a look has shown that it is not there; `cleaning` where the look was not a check's own. */
  whenProven: (entry: CardEntry, cleaning: boolean) => void = () => undefined;
  readonly #lookedAt = new Set<CardEntry>();
  readonly #answers = new Map<Entry, Exchange>();
  #serial = 0;
  #number = 0;

  constructor(names: Names, profile: Profile = {}, key?: string, keeper?: (runId: string) => Keeper) {
    this.#names = names;
    this.#profile = profile;
    this.#key = key;
    this.#keeper = keeper?.(this.runId);
    // What is fresh in every run reads the same in every report, and can be made fresh again by whoever repeats a request.
    names.learnMark(this.runId);
  }

  /** The cards. */
  get entries(): CardEntry[] {
    return this.all.filter((entry) => entry.kind === 'card');
  }

  get webhooks(): RecordEntry[] {
    return this.all.filter(isRecord).filter(({ what }) => what === 'webhook');
  }

  /** A value that nobody else has used: for codes, names and addresses. */
  fresh(prefix = 'GCS'): string {
    return `${prefix}${this.runId}${this.#next()}`;
  }

  /** The same for idempotency: a GUID, because some take nothing else there. Reports show it as they show other fresh values. */
  unique(prefix: string): string {
    const value = randomUUID().toUpperCase();
    this.#names.learn(value, `${prefix}«run»${this.#next()}`);
    return value;
  }

  #next(): string {
    this.#serial += 1;
    return String(this.#serial).padStart(4, '0');
  }

  /** A card that is about to be asked for with this code. */
  open(code: string, key: string | undefined): CardEntry {
    return this.#card({ code, own: code.toUpperCase().includes(this.runId) }, key);
  }

  /** A card whose code the service is about to choose; its first custom field has to hold the entry's mark, by which it is found should the answer be lost. */
  openUncoded(key?: string): CardEntry & { readonly mark: string } {
    const mark = this.fresh('GCS-M');
    const entry = this.#card({ code: '', mark, own: false }, key);
    this.#names.learn(mark, `${entry.name}.mark`);
    return Object.assign(entry, { mark });
  }

  /** Cards that an event is about to make for a recipient of its own, by whom they are found should the answer be lost. */
  openIssued(recipient: string, key?: string): CardEntry {
    const entry = this.#card({ code: '', recipient, own: false }, key);
    this.#names.learn(recipient, `${entry.name}.recipient`);
    return entry;
  }

  /** The cards of an event, or that there are none, are known by now, and each has an entry of its own. */
  accounted(entry: CardEntry): void {
    entry.state = 'refused';
    this.#keeper?.changed(entry);
  }

  /** The code that the service chose. */
  coded(entry: CardEntry, code: string): void {
    entry.code = code;
    this.#names.learn(code, entry.name);
    this.#keeper?.changed(entry);
  }

  /** `mark` is its description, where no other webhook has the same. */
  openWebhook(url: string, key?: string, mark?: string): RecordEntry {
    return this.openRecord(webhook, url, key, mark);
  }

  /** Something that is about to be asked for and is to be deleted in the end. No other record of its list may hold the value. */
  openRecord(way: Way, value: string, key?: string, mark?: string): RecordEntry {
    const known = mark === undefined ? { url: value } : { url: value, mark };
    return this.#opened<RecordEntry>({ kind: 'record', ...way, ...known, ...this.#common(key) });
  }

  /** What a list of webhooks holds, with the key of an account: of those in it, a later list may say that they are gone. */
  listed(json: unknown, key?: string): void {
    const account = this.#accountOf(key);
    for (const entry of this.webhooks) if (entry.account === account && ownRecords(json, entry).length > 0) this.shown(entry);
  }

  shown(entry: RecordEntry): void {
    if (entry.shown) return;
    entry.shown = true;
    this.#keeper?.changed(entry);
  }

  /** `made` is false where the answer does not say that anything was made. A refusal is no proof that nothing was, for that is what the suite is there to find out. */
  settle(entry: Entry, answer: Answer, made = true): void {
    if (answer.status >= 200 && answer.status < 300) {
      entry.state = 'created';
      if (made) entry.made = true;
      const id = (answer.json as { id?: unknown } | null | undefined)?.id;
      if (typeof id === 'string' || typeof id === 'number') entry.id = id;
    } else if (answer.status < 500 || isMissing(answer.status)) entry.state = canBeLookedFor(entry) ? 'doubted' : 'refused';
    entry.answered = answer.status;
    this.#answers.set(entry, answer.exchange);
    this.#keeper?.changed(entry);
  }

  /** The answer does not say that anything came of it, so that a look has to. */
  doubt(entry: CardEntry): void {
    entry.state = 'doubted';
    this.#keeper?.changed(entry);
  }

  /** A check has looked up a code, which may show that a refused card with it is not there. */
  seen(code: string, key: string | undefined, answer: Answer): void {
    for (const entry of this.entries) {
      if (entry.state !== 'doubted' || entry.code !== code || entry.account !== this.#accountOf(key)) continue;
      if (showsNothingNew(answer, entry, this.all)) this.#refuted(entry, false);
    }
  }

  /** Looks for the cards that were refused, once for each; of those that are not there the budget is free again. */
  async prove(client: Client): Promise<void> {
    for (const entry of this.entries) {
      if (entry.state !== 'doubted' || entry.code === '' || this.#lookedAt.has(entry)) continue;
      this.#lookedAt.add(entry);
      if (await neverMade(client, entry, this.all).catch(() => false)) this.#refuted(entry, true);
    }
  }

  /** A look has shown that of all that was refused since then nothing is there. */
  noneMade(since: number): void {
    for (const entry of this.all.slice(since)) {
      if (entry.state !== 'doubted') continue;
      entry.state = 'refused';
      this.#keeper?.changed(entry);
      if (entry.kind === 'card') this.whenProven(entry, false);
    }
  }

  #refuted(entry: CardEntry, cleaning: boolean): void {
    entry.state = 'refused';
    this.#keeper?.changed(entry);
    this.whenProven(entry, cleaning);
  }

  /** What was to ask for it never left, so that nothing is to be taken away. */
  withdraw(entry: Entry): void {
    // What was asked for before may be there.
    if (entry.state !== 'asked') return;
    entry.state = 'refused';
    this.#keeper?.changed(entry);
  }

  voided(code: string): void {
    for (const entry of this.entries) if (entry.code === code && entry.state === 'created') entry.voided = true;
  }

  /** From now on a list without it proves that it is gone: it is about to be deleted, or the service may take it away itself. */
  mayBeGone(entry: RecordEntry): void {
    entry.removing = true;
    this.#keeper?.changed(entry);
  }

  /** The service itself has taken it away, so that no list shows it any more. */
  gone(entry: Entry): void {
    entry.state = 'gone';
    this.#keeper?.changed(entry);
  }

  /** Deletes and voids in reverse what may still be there. What cannot be proven gone is marked as left. */
  sweep(client: Client): Promise<void> {
    const told = (entry: Entry) => {
      if (entry.kind === 'card' && entry.state === 'refused') this.whenProven(entry, true);
      this.#keeper?.changed(entry);
    };
    return sweep(client, this.all, told, (entry) => !entry.made && isProof(this.#answers.get(entry), client.exchanges));
  }

  #card(fields: Pick<CardEntry, 'code' | 'mark' | 'recipient' | 'own'>, key: string | undefined): CardEntry {
    const entry = this.#opened<CardEntry>({
      kind: 'card',
      name: `card#${this.entries.length + 1}`,
      ...fields,
      ...this.#common(key),
    });
    this.#names.learn(entry.code, entry.name);
    return entry;
  }

  #common(key: string | undefined) {
    this.#number += 1;
    return { number: this.#number, account: this.#accountOf(key), key, sent: Date.now(), state: 'asked' as const };
  }

  #opened<E extends Entry>(entry: E): E {
    this.#keeper?.opened(entry);
    this.all.push(entry);
    return entry;
  }

  #accountOf(key: string | undefined): AccountName {
    if (key === undefined || key === this.#key) return 'key';
    return (['secondKey', 'deletedKey', 'basicKey'] as const).find((entry) => this.#profile[entry] === key) ?? 'other';
  }
}

/** A code that somebody else may have chosen, too, shows nothing: the card that has it may have been there before. */
const canBeLookedFor = (entry: Entry) =>
  entry.kind === 'record' || entry.own || entry.mark !== undefined || entry.recipient !== undefined;

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const freshRunId = () => [...randomBytes(6)].map((byte) => alphabet[byte % alphabet.length]).join('');
