import { Readable } from 'node:stream';
import type { AccountWith } from '../account/account-with.ts';
import { elapsed, startTimer } from '../account/clock.ts';
import type { Watcher } from '../account/row-feed.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { ServiceRequest, ServiceResponse } from '../pipeline/exchange.ts';
import type { RowKind } from '../state/persist.ts';
import { plainResponse } from './page-response.ts';

const MAX_STREAMS = 50;

/** The shortest time between two events, in milliseconds. */
const PAUSE = 200;

/** The time between two comments that keep the connection open, in milliseconds. */
const KEEP_ALIVE = 15_000;

const KINDS = [
  'cards',
  'journal',
  'emails',
  'deliveries',
  'suppressed',
  'channels',
  'faults',
  'behaviors',
  'clock',
  'account',
  'accounts',
] as const;
type Kind = (typeof KINDS)[number];

/** The browser connects again after 2,000 milliseconds. What changed before the connection is not known. */
const BEGINNING = `retry: 2000\n\n${eventOf(KINDS)}`;

/** The kinds of data that may have changed with a row of an account. */
const KINDS_OF_ROW: Readonly<Partial<Record<RowKind, readonly Kind[]>>> = {
  cards: ['cards'],
  adjustments: ['cards'],
  timeline: ['cards'],
  listings: ['cards', 'channels'],
  pushes: ['channels'],
  outbox: ['emails'],
  deliveries: ['deliveries', 'faults'],
  suppressed: ['suppressed'],
  journal: ['journal', 'faults'],
  scheduler: ['clock'],
  progress: ['clock', 'faults'],
  webhooks: ['account'],
  automations: ['account'],
  coupons: ['account'],
  head: ['account', 'behaviors', 'channels'],
};

/** Responds with the stream of changes of an account. For a receiver that cannot read a stream, the body has one event with all kinds. */
export function events(sandbox: Sandbox, { target }: ServiceRequest): ServiceResponse {
  const id = new URLSearchParams(target.split('?', 2)[1]).get('account') ?? '';
  if (!sandbox.accounts.has(id))
    return plainResponse(404, `There is no account "${id}"; give the ID of an account, as in /__mock/events?account=main.`);
  if (sandbox.rows.watchers.size >= MAX_STREAMS)
    return plainResponse(503, `The sandbox has ${MAX_STREAMS} open event streams, which is the limit; close other dashboards.`);
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
  return { status: 200, headers, body: BEGINNING, parts: new ChangeStream(sandbox, id) };
}

function eventOf(kinds: Iterable<Kind>): string {
  return `data: ${JSON.stringify({ kinds: [...kinds] })}\n\n`;
}

/** The changes of an account as server-sent events. A slow reader gets fewer events: kinds that changed meanwhile wait for the next event. */
class ChangeStream extends Readable implements Watcher {
  readonly #sandbox: Sandbox;
  readonly #accountId: string;
  readonly #changed = new Set<Kind>();
  /** True if the reader has taken everything so far. */
  #isWanted = false;
  #isPlanned = false;
  /** The next event does not leave before this time. */
  #next = 0;
  #cancelEvent = () => {};
  #cancelComment = () => {};

  constructor(sandbox: Sandbox, accountId: string) {
    super({ highWaterMark: 1 });
    this.#sandbox = sandbox;
    this.#accountId = accountId;
    sandbox.rows.watchers.add(this);
    this.push(BEGINNING);
    this.#keepOpen();
  }

  changed(row: RowKind, account: AccountWith<'id' | 'faults'> | undefined): void {
    if (account === undefined) {
      if (row === 'journal') this.#add(['journal']);
      else if (row === 'head') this.#add(['behaviors']);
    } else if (account.id === this.#accountId) {
      const kinds = KINDS_OF_ROW[row] ?? [];
      this.#add(account.faults ? kinds : kinds.filter((kind) => kind !== 'faults'));
    } else if (row === 'head') this.#add(['accounts']);
  }

  replaced(accountId: string): void {
    if (accountId !== '') this.#add(accountId === this.#accountId ? KINDS : ['accounts']);
  }

  end(): void {
    this.#unwatch();
    this.push(null);
  }

  override _read(): void {
    this.#isWanted = true;
    this.#plan();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#unwatch();
    callback(error);
  }

  /** A stream that ended may still have a reader that never reads its end. */
  #unwatch(): void {
    this.#sandbox.rows.watchers.delete(this);
    this.#cancelEvent();
    this.#cancelComment();
  }

  #add(kinds: readonly Kind[]): void {
    for (const kind of kinds) this.#changed.add(kind);
    this.#plan();
  }

  #plan(): void {
    if (!this.#isWanted || this.#isPlanned || this.#changed.size === 0) return;
    this.#isPlanned = true;
    this.#cancelEvent = startTimer(Math.max(0, this.#next - elapsed()), () => {
      this.#isPlanned = false;
      this.#next = elapsed() + PAUSE;
      const event = eventOf(this.#changed);
      this.#changed.clear();
      this.#send(event);
    });
  }

  #keepOpen(): void {
    this.#cancelComment = startTimer(KEEP_ALIVE, () => {
      if (this.#isWanted) this.#send(':\n\n');
      this.#keepOpen();
    });
  }

  #send(text: string): void {
    this.#isWanted = false;
    this.push(text);
  }
}
