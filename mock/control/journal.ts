import { didYouMean } from '../../openapi/input/closest.ts';
import type { Account } from '../account/account.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { Contract } from '../contract/contract.ts';
import { withNames } from '../contract/effective/names.ts';
import { formatTime } from '../domain/dates.ts';
import type { Advice } from '../journal/advice.ts';
import { adviceRules } from '../journal/advice-rules.ts';
import { chainOf, mentions, touches } from '../journal/chain.ts';
import { type EffectsByCause, effectsOf } from '../journal/effects.ts';
import type { Entry } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { type Redactor, redactorOf } from '../journal/redaction.ts';
import { entryView } from '../journal/views.ts';
import { problems } from '../pipeline/problems.ts';
import type { CardRecord } from '../state/records.ts';
import { ControlError } from './control-error.ts';

/** Which entries are wanted; what is left out does not matter. */
interface JournalFilter {
  readonly operation?: string | undefined;
  readonly status?: number | undefined;
  /** The code of a refusal. */
  readonly refusal?: string | undefined;
  /** Only what has a higher number; then the first ones, and the last ones otherwise. */
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 100;

/** Everything that these functions return is redacted. */

/** What happened on the account, oldest first. `card` is the one that it must be about: that it changed, or that its request named. */
export function listJournal(
  account: Account,
  card: CardRecord | undefined,
  filter: JournalFilter,
  redactor = redactorOf([account]),
) {
  const isAbout = card && mentions(card);
  const entries = chosen(account.journal, filter, (entry) => {
    return !card || touches(entry, card.id) || (entry.kind === 'request' && isAbout?.(entry) === true);
  });
  const effects = effectsOf(account);
  return { ...entries, entries: entries.entries.map((entry) => view(entry, account, effects, redactor)) };
}

/** One entry, by its number. */
export function journalEntry(account: Account, number: number, redactor = redactorOf([account])) {
  const entry = account.journal.entries().find((each) => each.number === number);
  if (!entry) {
    const [first] = account.journal.entries();
    const gone = first && number < first.number ? ` The oldest that is kept is ${first.number}.` : '';
    throw new ControlError(404, `The journal of ${account.id} has no entry ${number}.${gone}`);
  }
  return view(entry, account, effectsOf(account), redactor);
}

/** What became of a card, by cause. */
export function cardChain(account: Account, card: CardRecord, redactor = redactorOf([account])) {
  return { ...chainOf(account, card, redactor), dropped: account.journal.dropped.entries };
}

/** Habits of the account's clients that hurt in production. */
export function adviceOf(
  whose: Account | Sandbox,
  redactor = redactorOf('accounts' in whose ? whose.accounts.values() : [whose]),
) {
  return whose.journal.advice().map((advice) => adviceView(advice, whose.contract, redactor));
}

/** Requests that came with no key of any account. */
export function listStrangers(sandbox: Sandbox, filter: JournalFilter) {
  const redactor = redactorOf(sandbox.accounts.values());
  const { entries, ...rest } = chosen(sandbox.journal, filter, () => true);
  return { ...rest, entries: entries.map((entry) => entryView(entry, [], redactor, 'USD')) };
}

function view(entry: Entry, { settings, keys }: Account, effects: EffectsByCause, redactor: Redactor) {
  const hasKey = keys.some(({ deleted }) => !deleted);
  return entryView(entry, effects.get(entry.number)?.effects ?? [], redactor, settings.currency, hasKey);
}

function chosen(journal: Journal, filter: JournalFilter, isWanted: (entry: Entry) => boolean) {
  const { operation, status, refusal, after, limit = DEFAULT_LIMIT } = filter;
  if (refusal !== undefined && !Object.hasOwn(problems, refusal)) {
    const known = Object.keys(problems);
    throw new ControlError(
      400,
      `There is no refusal "${refusal}".${didYouMean(refusal, known) || ` There are ${known.join(', ')}.`}`,
    );
  }
  const matching = journal.entries().filter((entry) => {
    if (after !== undefined && entry.number <= after) return false;
    const request = entry.kind === 'request' ? entry : undefined;
    if (operation !== undefined && request?.operation !== operation) return false;
    if (status !== undefined && request?.status !== status) return false;
    if (refusal !== undefined && request?.refusal !== refusal) return false;
    return isWanted(entry);
  });
  const entries = after === undefined ? matching.slice(-limit) : matching.slice(0, limit);
  return { matching: matching.length, dropped: journal.dropped.entries, entries };
}

function adviceView({ name, count, first, last, seen }: Advice, contract: Contract, redactor: Redactor) {
  const { clause, hurts: sentence, on: [operation] = [] } = adviceRules[name];
  const hurts = withNames(sentence, operation && contract.namesOf(operation));
  const moment = ({ number, at }: Advice['first']) => ({ number, atUtc: formatTime(at) });
  return { name, seen: redactor.urls(seen), hurts, clause, count, first: moment(first), last: moment(last) };
}
