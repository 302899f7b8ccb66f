import type { Persist, RowKind } from '../state/persist.ts';
import type { Account } from './account.ts';

/** Persists the state of a sandbox outside of the process. */
export interface SandboxPersistence {
  readonly path: string;
  readonly wasThere: boolean;
  /** The reason why the last write failed. Undefined if it succeeded. */
  readonly failure: string | undefined;
  /** Persists a row of an account. Without an account, the row belongs to the sandbox. */
  persist(account: Account | undefined, ...row: Parameters<Persist>): void;
  /** Replaces all rows of an account. An empty ID means the sandbox itself. */
  replaced(accountId: string): void;
  /** Resolves when all changes so far are in the store. */
  stored(): Promise<void>;
  /** Handles a request here or in another replica, and returns the response when its changes are in the store. Rejects with StoreUnavailable. */
  respond<T>(call: unknown, handle: () => T | Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Watches changes. Most changes are rows for the store; the store need not exist. */
export interface Watcher {
  /** A row of an account has changed. Without an account, the row belongs to the sandbox. */
  changed(row: RowKind, account: Account | undefined): void;
  /** An account was added, replaced or removed. An empty ID means the sandbox itself. */
  replaced(accountId: string): void;
  /** The sandbox ends, or another replica leads. */
  end(): void;
}

/** Passes every changed row on to the store, if there is one, and to all watchers. */
export class RowFeed {
  /** Undefined if the state is kept in memory only. */
  persistence: SandboxPersistence | undefined;
  readonly watchers = new Set<Watcher>();

  persist(account: Account | undefined, ...row: Parameters<Persist>): void {
    this.persistence?.persist(account, ...row);
    for (const watcher of this.watchers) watcher.changed(row[0], account);
  }

  replaced(accountId: string): void {
    this.persistence?.replaced(accountId);
    for (const watcher of this.watchers) watcher.replaced(accountId);
  }

  /** Resolves when all changes are in the store. Undefined without a store. If the write fails, the accounts are stopped and restored from the store. */
  stored(): Promise<void> | undefined {
    return this.persistence?.stored().catch(() => {});
  }

  endWatchers(): void {
    for (const watcher of this.watchers) watcher.end();
  }
}
