import { didYouMean } from '../../openapi/input/closest.ts';
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
import type { Input } from './operation-types.ts';
import { ControlError, type ControlledAccount } from './resources.ts';

/** Everything that these functions return is redacted. */

type Query = Partial<Input<'listSandboxJournal'>['query']>;

const DEFAULT_LIMIT = 100;

/** The account's entries, oldest first. With a card, only entries that changed the card, or whose request named it. */
export function listJournal(
  account: ControlledAccount,
  card: CardRecord | undefined,
  query: Query,
  redactor = redactorOf([account]),
) {
  const isAbout = card && mentions(card);
  const { entries, ...counts } = matching(account.journal, query, (entry) => {
    return !card || touches(entry, card.id) || (entry.kind === 'request' && isAbout?.(entry) === true);
  });
  const effects = effectsOf(account);
  return { ...counts, entries: entries.map((entry) => view(entry, account, effects, redactor)) };
}

export function journalEntry(account: ControlledAccount, number: number, redactor = redactorOf([account])) {
  const entries = account.journal.entries();
  const entry = entries.find((each) => each.number === number);
  if (entry) return view(entry, account, effectsOf(account), redactor);
  const oldest = entries[0]?.number ?? 0;
  const hint = number < oldest ? ` The oldest entry that is still kept is ${oldest}.` : '';
  throw new ControlError(404, `The journal of ${account.id} has no entry ${number}.${hint}`);
}

export function cardChain(account: ControlledAccount, card: CardRecord, redactor = redactorOf([account])) {
  return { ...chainOf(account, card, redactor), dropped: account.journal.dropped.entries };
}

export function adviceOf({ journal, contract }: Pick<ControlledAccount, 'journal' | 'contract'>, redactor: Redactor) {
  return journal.advice().map((advice) => adviceView(advice, contract, redactor));
}

/** Requests without the key of an account. */
export function listSandboxJournal(sandbox: Sandbox, query: Query) {
  const redactor = redactorOf(sandbox.accounts.values());
  const { entries, ...counts } = matching(sandbox.journal, query, () => true);
  return { ...counts, entries: entries.map((entry) => entryView(entry, [], redactor, 'USD')) };
}

function view(
  entry: Entry,
  { settings, keys }: Pick<ControlledAccount, 'settings' | 'keys'>,
  effects: EffectsByCause,
  redactor: Redactor,
) {
  const hasKey = keys.some(({ deleted }) => !deleted);
  return entryView(entry, effects.get(entry.number)?.effects ?? [], redactor, settings.currency, hasKey);
}

/** The first matching entries after a number, or without a number the last ones. */
function matching(journal: Journal, query: Query, isWanted: (entry: Entry) => boolean) {
  const { operation, status, refusal, after, limit = DEFAULT_LIMIT } = query;
  if (refusal !== undefined && !Object.hasOwn(problems, refusal)) {
    const known = Object.keys(problems);
    const hint = didYouMean(refusal, known) || ` Known: ${known.join(', ')}.`;
    throw new ControlError(400, `refusal must be the code of a refusal, got "${refusal}".${hint}`);
  }
  const ofRequest = Object.entries({ operation, status, refusal }).filter(([, value]) => value !== undefined);
  const all = journal.entries().filter((entry) => {
    const isMatch = ofRequest.every(([name, value]) => {
      return entry.kind === 'request' && entry[name as 'operation' | 'status' | 'refusal'] === value;
    });
    return isMatch && entry.number > (after ?? 0) && isWanted(entry);
  });
  const entries = after === undefined ? all.slice(-limit) : all.slice(0, limit);
  return { matching: all.length, dropped: journal.dropped.entries, entries };
}

function adviceView({ name, count, first, last, seen }: Advice, contract: Contract, redactor: Redactor) {
  const { clause, hurts: sentence, on: [operation] = [] } = adviceRules[name];
  const hurts = withNames(sentence, operation && contract.namesOf(operation));
  const occurrence = ({ number, at }: Advice['first']) => ({ number, atUtc: formatTime(at) });
  return { name, seen: redactor.urls(seen), hurts, clause, count, first: occurrence(first), last: occurrence(last) };
}
