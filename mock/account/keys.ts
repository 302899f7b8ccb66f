import { Redactor } from '../journal/redaction.ts';
import type { Account } from './account.ts';
import type { ApiKey } from './settings.ts';

/** The account of a key. Deleted keys stay known, so that the log can tell them from wrong ones. */
export interface KeyHolder {
  readonly account: Account;
  readonly key: ApiKey;
}

/** The holder of each key. */
export class Keys extends Map<string, KeyHolder> {
  /** Masks all keys in logs. */
  readonly redactor = new Redactor();

  override set(key: string, holder: KeyHolder): this {
    this.redactor.add(key);
    return super.set(key, holder);
  }

  override delete(key: string): boolean {
    this.redactor.remove(key);
    return super.delete(key);
  }

  override clear(): void {
    for (const key of this.keys()) this.redactor.remove(key);
    super.clear();
  }
}
