import { elapsed, pause, secret, startTimer } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import { redactUrls } from '../journal/redaction.ts';
import { BoundedLog, type LogState } from '../outbound/bounded-log.ts';
import type { ForwardedCall, Handle } from '../server/call.ts';
import type { DatedResponse } from '../server/http.ts';
import { PeerSilent, Peers } from './peers.ts';
import { Persistence } from './persistence.ts';
import { PostgresStore } from './postgres-store.ts';
import { logOf, type Rows } from './rows.ts';
import { OtherLeads, type Peer, StoreUnavailable } from './store.ts';

/** The milliseconds between two renewals by the leader, and between two attempts to become the leader. */
const HEARTBEAT = 500;

/** The milliseconds that a request waits for a leader. */
const PATIENCE = 5000;

/** A request that a replica passes on to the leader. */
interface Message {
  readonly id: string;
  /** True if a former leader may have handled the request. */
  readonly isRepeated: boolean;
  readonly call: ForwardedCall;
}

/** The response to a message that may have changed something. A later leader gives the same response. */
interface StoredResponse {
  readonly id: string;
  readonly response: DatedResponse;
}

/**
 * One of the sandboxes that share a state in PostgreSQL. One replica leads: it has the state in memory, and stores every change before the response. The
 * others pass their requests on to the leader. If the leader ends, another replica reads the state and leads.
 */
export class Replica extends Persistence {
  readonly #handle: Handle;
  readonly #store: PostgresStore;
  readonly #peers: Peers;
  #responses: BoundedLog<StoredResponse> = this.#newLog();
  /** The messages that are being handled. */
  readonly #handling = new Map<string, Promise<DatedResponse>>();
  /** The replica that leads, if it is another one. */
  #leader: Peer | undefined;
  /** The last leader whose process has ended. */
  #ended: Peer | undefined;
  /** The token of the last leader. Undefined for this replica. */
  #followed: string | undefined;
  /** Why that leader cannot be reached. While it cannot, requests wait for it or for another leader. */
  #cut: PeerSilent | undefined;
  #pinging: Promise<void> | undefined;
  #isClosing = false;

  static async open(url: string, sandbox: Sandbox, handle: Handle): Promise<void> {
    const name = redactUrls(url);
    const { store, host } = await PostgresStore.connect(url, name);
    let started: Promise<void> | undefined;
    const peers = await new Peers().listen(host, async (message) => {
      // Another replica can follow this one before the state is restored.
      if (started && !(await Promise.race([started.then(() => true), pause(PATIENCE)])))
        throw new StoreUnavailable('The leader still reads the state');
      return replica.#respondToPeer(message as Message);
    });
    const replica = new Replica(name, sandbox, handle, store, peers);
    sandbox.rows.persistence = replica;
    try {
      started = replica.start(async () => sandbox.reset());
      await started;
      started = undefined;
      replica.#heartbeat();
    } catch (error) {
      await Promise.all([peers.close(), store.end()]);
      throw error;
    }
  }

  private constructor(name: string, sandbox: Sandbox, handle: Handle, store: PostgresStore, peers: Peers) {
    super(name, sandbox, () => this.#lead());
    this.#handle = handle;
    this.#store = store;
    this.#peers = peers;
  }

  override get failure(): string | undefined {
    return this.#cut?.message ?? super.failure;
  }

  /** Handles a request if this replica leads. Otherwise, passes the request on to the leader. Throws StoreUnavailable. */
  override async respond<T>(call: ForwardedCall, handle: () => T | Promise<T>): Promise<T> {
    const id = secret();
    const end = elapsed() + PATIENCE;
    for (let isRepeated = false; ; ) {
      const leader = this.#leader;
      try {
        if (leader && this.#cut) throw this.#cut;
        if (leader) return (await this.#peers.send(leader, { id, isRepeated, call } satisfies Message)) as T;
        return await (isRepeated
          ? (this.#respondToPeer({ id, isRepeated, call }) as Promise<T>)
          : this.#handleHere(call, handle));
      } catch (error) {
        if (error instanceof OtherLeads) this.#leader = error.leader;
        else if (!(error instanceof PeerSilent)) throw error;
        else if (error !== this.#cut) {
          if (this.#leader === leader) this.#leader = undefined;
          if (error.why === 'ended') this.#ended = leader;
          isRepeated ||= error.why === 'unknown';
        }
        if (elapsed() > end) throw error;
      }
      await pause(50);
    }
  }

  override async close(): Promise<void> {
    this.#isClosing = true;
    // The messages that are being handled get their responses, unless they wait for something.
    if (this.#handling.size > 0) await Promise.race([Promise.allSettled(this.#handling.values()), pause(150)]);
    await this.#peers.close();
    await super.close().finally(() => this.#store.end());
  }

  protected override restored(rows: Rows): void {
    this.#responses = this.#newLog();
    this.#responses.restore(logOf(rows, 'responses') as LogState<StoredResponse>);
  }

  async #lead(): Promise<PostgresStore> {
    try {
      await this.#store.lead(this.#peers.own, this.#ended);
    } catch (error) {
      if (error instanceof OtherLeads) this.#follow(error.leader);
      throw error;
    }
    this.#follow(undefined);
    return this.#store;
  }

  /** Messages to a former leader may never get a response, so they end. */
  #follow(leader: Peer | undefined): void {
    this.#leader = leader;
    if (leader?.token === this.#followed) return;
    this.#followed = leader?.token;
    this.#cut = undefined;
    this.#peers.drop();
  }

  /** Notices the end of an idle leader, to which no request is passed on, and of a connection that breaks without a sign. */
  async #ping(): Promise<void> {
    const leader = this.#leader;
    if (!leader) return;
    const cut = await this.#peers.ping(leader);
    // Meanwhile, an attempt to lead may have found the same leader again, which is another object.
    if (leader.token !== this.#leader?.token) return;
    if (cut?.why === 'ended') this.#ended = leader;
    if (cut && !this.#cut) this.#peers.drop();
    this.#cut = cut;
  }

  async #handleHere<T>(call: ForwardedCall, handle: () => T | Promise<T>): Promise<T> {
    let isDone = true;
    try {
      let at = 0;
      const handled = await super.respond(call, () => {
        const response = handle();
        at = elapsed();
        if (!(response instanceof Promise)) return response;
        isDone = false;
        return response.finally(() => {
          at = elapsed();
        });
      });
      await this.#mustHaveLed(at);
      return handled;
    } catch (error) {
      // A request that takes several writes may be stored in part, so it must not be repeated.
      throw error instanceof OtherLeads && !isDone ? new StoreUnavailable(error.message) : error;
    }
  }

  async #respondToPeer({ id, isRepeated, call }: Message): Promise<DatedResponse> {
    const { request, guard } = call;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (this.#isClosing) throw new OtherLeads(this.#peers.own);
    if (this.failure !== undefined) await this.recover();
    const handling = this.#handling.get(id);
    if (handling) return handling;
    const known = isRepeated && !isRead ? this.#responses.findLast((each) => each.id === id) : undefined;
    if (known) return known.response;
    if (isRepeated && !isRead && guard) throw new StoreUnavailable('A former leader may have handled a part of the request.');
    const handled = this.#handleHere(call, async () => {
      const responses = this.#responses; // A recovery replaces this log, and undoes the changes of the request.
      const { response, at, fault } = await this.#handle(call);
      if (!isRead && responses === this.#responses) this.#responses.add({ id, response: { response, at, fault } });
      return { response, at, fault };
    }).finally(() => this.#handling.delete(id));
    this.#handling.set(id, handled);
    return handled;
  }

  /** Makes sure that this replica led at a time, so that no response shows a state that another leader had already changed. Throws StoreUnavailable. */
  async #mustHaveLed(at: number): Promise<void> {
    for (const end = elapsed() + PATIENCE; !this.#store.ledAt(at); await pause(50)) {
      if (elapsed() > end) throw new StoreUnavailable('The database does not confirm that this replica leads');
      await Promise.race([this.#renew(), pause(PATIENCE)]);
    }
  }

  /** Renews the lead. Throws StoreUnavailable if this replica has lost it, or cannot renew it for so long that another one may lead soon. */
  async #renew(): Promise<void> {
    await this.#store.renew().catch((error) => {
      if (!(error instanceof OtherLeads) && this.#store.mayLead) return;
      if (this.failure === undefined) this.fail(error);
      if (error instanceof OtherLeads) this.#follow(error.leader);
      throw error;
    });
  }

  async #heartbeat(): Promise<void> {
    if (this.#isClosing) return;
    this.#pinging ??= this.#ping().finally(() => {
      this.#pinging = undefined;
    });
    await (this.failure === undefined ? this.#renew() : this.recover()).catch(() => {});
    startTimer(HEARTBEAT, () => void this.#heartbeat());
  }

  #newLog(): BoundedLog<StoredResponse> {
    return new BoundedLog(
      ({ response }) => response.response.body.length,
      (number, entry) => this.persist(undefined, 'responses', number, entry),
    );
  }
}
