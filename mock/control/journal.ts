import type { Sandbox } from '../account/sandbox.ts';
import type { Contract } from '../contract/contract.ts';
import { withNames } from '../contract/effective/names.ts';
import { formatTime } from '../domain/dates.ts';
import type { Advice } from '../journal/advice.ts';
import { adviceRules } from '../journal/advice-rules.ts';
import { chainOf, mentionsCard, touches } from '../journal/chain.ts';
import { effectsOfCause } from '../journal/effects.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { type JournalRedactor, redactorOf } from '../journal/redaction.ts';
import { entryView } from '../journal/views.ts';
import type { ControlInput, PathValues, Query } from './operation-types.ts';
import {
  ControlError,
  type ControlledAccount,
  controlledCard,
  type InAccount,
  type InSandbox,
  type OfCard,
} from './resources.ts';

/** Returns entries, oldest first. With a card, returns only entries that changed the card, or whose request names the card. */
export function listJournal({ sandbox, account, query = {} }: InSandbox & InAccount & Query<'listJournal'>) {
  const card = query.card === undefined ? undefined : controlledCard(account, query.card);
  const isAbout = card && mentionsCard(card);
  const { entries, ...counts } = matching(account.journal, query, (entry) => {
    return !card || touches(entry, card.id) || (entry.kind === 'request' && isAbout?.(entry) === true);
  });
  return { ...counts, entries: viewsOf(sandbox, account, entries) };
}

export function getJournalEntry({ sandbox, account, path: { number } }: InSandbox & InAccount & PathValues<'getJournalEntry'>) {
  const entries = account.journal.entries().filter((each) => each.number === number);
  const [view] = viewsOf(sandbox, account, entries);
  if (view) return view;
  throw new ControlError(404, `The journal of ${account.id} has no entry ${number}, or has already dropped the entry.`);
}

function viewsOf(sandbox: Sandbox, account: ControlledAccount, entries: readonly JournalEntry[]) {
  const effects = effectsOfCause(account);
  const redactor = redactorOf(sandbox.accounts.values());
  return entries.map((entry) => entryView(entry, effects(entry.number), redactor, account.settings.currency));
}

export function getChain({ sandbox, account, card }: InSandbox & OfCard) {
  return chainOf(account, card, redactorOf(sandbox.accounts.values()));
}

/** Returns the requests without a valid key. */
export function listSandboxJournal({ sandbox, query = {} }: InSandbox & Query<'listSandboxJournal'>) {
  const redactor = redactorOf(sandbox.accounts.values());
  const { entries, ...counts } = matching(sandbox.journal, query, () => true);
  return { ...counts, entries: entries.map((entry) => entryView(entry, [], redactor, 'USD')) };
}

/** Returns the first matching entries after a number. Without a number, returns the last matching entries. */
function matching(
  journal: Journal,
  query: ControlInput<'listSandboxJournal'>['query'],
  isWanted: (entry: JournalEntry) => boolean,
) {
  const { operation, status, refusal, after, limit = 100 } = query;
  const ofRequest = Object.entries({ operation, status, refusal }).filter(([, value]) => value !== undefined);
  const all = journal.entries().filter((entry) => {
    const isMatch = ofRequest.every(([name, value]) => {
      return entry.kind === 'request' && entry[name as 'operation' | 'status' | 'refusal'] === value;
    });
    return isMatch && entry.number > (after ?? 0) && isWanted(entry);
  });
  const entries = after === undefined ? all.slice(-limit) : all.slice(0, limit);
  return { matching: all.length, dropped: journal.dropped, entries };
}

export const listSandboxAdvice = ({ sandbox }: InSandbox) =>
  adviceOf(sandbox, { journal: sandbox.journal, contract: sandbox.variant.contract });

export const listAdvice = ({ sandbox, account }: InSandbox & InAccount) => adviceOf(sandbox, account);

function adviceOf(sandbox: Sandbox, { journal, contract }: { readonly journal: Journal; readonly contract: Contract }) {
  const redactor = redactorOf(sandbox.accounts.values());
  return journal.advice().map((advice) => adviceView(advice, contract, redactor));
}

function adviceView({ name, count, first, last, seen }: Advice, contract: Contract, redactor: JournalRedactor) {
  const { rule, hurts: sentence, on: [operation] = [] } = adviceRules[name];
  const hurts = withNames(sentence, operation && contract.namesOf(operation));
  const occurrence = ({ number, at }: Advice['first']) => ({ number, atUtc: formatTime(at) });
  return { name, seen: redactor.urls(seen), hurts, rule, count, first: occurrence(first), last: occurrence(last) };
}
