import { Redactor } from '../journal/redaction.ts';
import type { Account, ApiKey } from './account.ts';

/** Whom a key stands for. Deleted keys stay known, so that the log can tell them from wrong ones. */
export interface KeyHolder {
  readonly account: Account;
  readonly key: ApiKey;
}

/** Whose each key is. */
export class Keys extends Map<string, KeyHolder> {
  /** Masks all of them in logs. */
  readonly redactor = new Redactor();
  readonly #inLowerCase = new Map<string, Set<string>>();

  override set(key: string, holder: KeyHolder): this {
    const lower = key.toLowerCase();
    const alike = this.#inLowerCase.get(lower);
    if (alike) alike.add(key);
    else this.#inLowerCase.set(lower, new Set([key]));
    this.redactor.add(key);
    return super.set(key, holder);
  }

  override delete(key: string): boolean {
    const lower = key.toLowerCase();
    const alike = this.#inLowerCase.get(lower);
    alike?.delete(key);
    if (alike?.size === 0) this.#inLowerCase.delete(lower);
    this.redactor.remove(key);
    return super.delete(key);
  }

  override clear(): void {
    this.#inLowerCase.clear();
    for (const key of this.keys()) this.redactor.remove(key);
    super.clear();
  }

  /** Of the keys that are this one but for letter case, whoever else has them. */
  alike(key: string): readonly KeyHolder[] {
    const alike = this.#inLowerCase.get(key.toLowerCase()) ?? [];
    return Array.from(alike, (each) => this.get(each) as KeyHolder);
  }
}
