/** Rows with a text each, in the order of their names. A store outlives the process. */
export interface Store {
  /** Yields all rows, some at a time. */
  rows(): AsyncIterable<readonly (readonly [name: string, text: string])[]>;
  /** Returns the names that begin with `prefix`. */
  keys(prefix: string): Promise<readonly string[]>;
  /** Puts and removes rows, either all or none. An undefined text removes the row. */
  write(rows: ReadonlyMap<string, string | undefined>): Promise<void>;
  close(): Promise<void>;
}

/** `off` hands each write to the operating system: it survives the end of the process. `commit` waits for the disk: it survives a power failure. */
export type Sync = 'off' | 'commit';

/** The changes of a request cannot be stored. They are undone as soon as the store works again. */
export class StoreUnavailable extends Error {}

export function unavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const { message, code = error, errors } = error as Error & { readonly code?: unknown; readonly errors?: readonly Error[] };
  return new StoreUnavailable(message || errors?.[0]?.message || String(code));
}

/** The address of a replica for other replicas, and the token that the replica requires of them. */
export interface Peer {
  readonly host: string;
  readonly port: number;
  readonly token: string;
}

/** Another replica leads. Only the leader reads and writes the store, so the request has changed nothing here. */
export class OtherLeads extends StoreUnavailable {
  readonly leader: Peer;

  constructor(leader: Peer) {
    super(`The replica at ${leader.host}:${leader.port} leads`);
    this.leader = leader;
  }
}

/** Says why changes cannot be stored, and what requests get. */
export function noticeOf(reason: StoreUnavailable, path: string): string {
  return reason instanceof OtherLeads
    ? `${reason.message}. This replica passes all requests on to it.`
    : `The state cannot be written to ${path}: ${reason.message}. Requests get 503 until it can.`;
}
