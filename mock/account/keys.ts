import { JournalRedactor } from '../journal/redaction.ts';
import type { Account } from './account.ts';
import type { ApiKey } from './settings.ts';

export interface KeyHolder {
  readonly account: Account;
  readonly key: ApiKey;
}

/** The account of each key. Deleted keys are included, because the log distinguishes deleted keys from wrong keys. */
export class Keys extends Map<string, KeyHolder> {
  /** Masks all keys in logs. */
  readonly redactor = new JournalRedactor();

  override set(key: string, holder: KeyHolder): this {
    this.redactor.add(key);
    return super.set(key, holder);
  }

  override delete(key: string): boolean {
    this.redactor.remove(key);
    return super.delete(key);
  }
}
