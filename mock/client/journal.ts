import type { Reply } from '../control/handed.ts';
import type { Call } from './call.ts';
import type { Query } from './input.ts';

/** What happened on an account and why, and what in the caller's ways will hurt in production. Keys and secrets are masked. */
export interface Journal {
  /** Oldest first, with how much of it is no longer kept. */
  list(match?: Query<'listJournal'>): Promise<Reply<'listJournal'>>;
  /** One entry, by its number. */
  entry(number: number): Promise<Reply<'getJournalEntry'>>;
  /** Everything that happened to one card and what came of it: request, change, channels, emails, deliveries. */
  ofCard(card: string): Promise<Reply<'getChain'>>;
  advice(): Promise<Reply<'listAdvice'>>;
}

export function journalOf(call: Call, path: { readonly account: string }): Journal {
  return {
    list: (query = {}) => call('listJournal', { path, query }),
    entry: (number) => call('getJournalEntry', { path: { ...path, number } }),
    ofCard: (card) => call('getChain', { path: { ...path, card } }),
    advice: () => call('listAdvice', { path }),
  };
}
