import { levelOf } from '../../core/contract.ts';
import { counted } from '../../core/counted.ts';
import type { ClauseResult, RunResult } from '../../core/result.ts';
import { printable } from '../../http/excerpt.ts';
import { type Finding, type Kind, kinds } from '../finding.ts';
import { countOf, exitOf, heldOf, type Watched, type WatchedFinding, type WatchedRow } from '../watched.ts';

/** What each kind is called, in a line, in every report. */
export const called: Readonly<Record<Kind, string>> = {
  violated: 'VIOLATED',
  unexpected: 'UNEXPECTED',
  'cannot-tell': 'CANNOT TELL',
  client: 'CLIENT',
  open: 'OPEN',
};

export const meant: Readonly<Record<Kind, string>> = {
  violated: 'The specification says otherwise, and nobody else can have caused it.',
  unexpected: 'What we expect beyond the specification.',
  'cannot-tell':
    'Another client, an automation, the dashboard, an expiry or a clock may have acted; with --only-client these are violations.',
  client: 'Requests that are not as the specification has them.',
  open: 'Answers to what the specification leaves open; no fault.',
};

export const notSeen = 'Webhook deliveries, emails and sales channels do not pass through a proxy.';

/** A finding in one line, as it is told while traffic passes. */
export function line({ kind, clause, what, exchanges }: Finding): string {
  const about = clause === undefined ? '' : ` ${clause} (${levelOf(clause)})`;
  return `${called[kind]}${about} ${numbered(exchanges)}: ${printable(what)}\n`;
}

export const numbered = (exchanges: readonly number[]) => exchanges.map((n) => `#${n}`).join(' ');

/** Of how many findings reports tell: those of a clause are alike; what is of none is each another sentence. */
export const mostTold = (clause: string | undefined): number => (clause === undefined ? 50 : 5);

/** Findings of a kind that are about one clause, or about none. */
export interface Group {
  readonly clause: ClauseResult | undefined;
  readonly shown: readonly WatchedFinding[];
  /** How many there are beside these. */
  readonly more: number;
}

/** By what they have in common, in the order in which that came up. */
export function alike<T, K>(all: readonly T[], common: (one: T) => K): Map<K, T[]> {
  const found = new Map<K, T[]>();
  for (const one of all) {
    const those = found.get(common(one));
    if (those) those.push(one);
    else found.set(common(one), [one]);
  }
  return found;
}

/** The findings by kind, worst first, and by clause. */
export function grouped({ clauses, watched }: RunResult): { readonly kind: Kind; readonly groups: readonly Group[] }[] {
  return kinds.flatMap((kind) => {
    const those = watched?.findings.filter((finding) => finding.kind === kind) ?? [];
    const byClause = [...alike(those, ({ clause }) => clause)];
    const groups = byClause.map(([name, findings]): Group => {
      const most = mostTold(name);
      return {
        clause: clauses.find((clause) => clause.name === name),
        shown: findings.slice(0, most),
        more: Math.max(0, findings.length - most),
      };
    });
    return groups.length > 0 ? [{ kind, groups }] : [];
  });
}

/** A group in lines: the clause, and of each finding its exchanges, its sentence, how often it was found, and what passed. */
export function groupText({ clause, shown, more }: Group, { exchanges }: Watched): string {
  const head = clause ? `  ${clause.name}  ${clause.level} · ${clause.from.join('; ')}\n    ${clause.text}\n` : '';
  const told = shown.map(({ what, times, exchanges: numbers }) => {
    const passed = numbers.flatMap((n) => {
      const found = exchanges.find((each) => each.n === n);
      return found ? [`      #${n} ${printable(`${found.method} ${found.path}`)} → ${found.status}\n`] : [];
    });
    return `    ${numbered(numbers)}  ${printable(what)}${timesTold(times)}\n${passed.join('')}`;
  });
  return head + told.join('') + (more > 0 ? `    ${moreTold(more)}\n` : '');
}

export const timesTold = (times: number): string => (times > 1 ? ` (${times} times)` : '');

export const moreTold = (more: number): string => `and ${more} more, which results.json (--out DIR) has`;

/** All that was watched, in one line. What is of no interest unless it comes up is told only then. */
export function headlineOf(result: RunResult, watched: Watched): string {
  const some = (number: number, what: string) => (number > 0 ? [`${number} ${what}`] : []);
  const about = [
    counted(result.requests, 'exchange'),
    ...some(watched.lost, 'without an answer'),
    ...some(watched.beside, 'beside the service'),
    ...some(watched.unread ?? 0, 'with a body that cannot be read here'),
  ];
  return [
    `stated ${heldOf(result).filter(({ level }) => level === 'stated').length} held, ${countOf(watched, 'violated')} violated`,
    ...some(countOf(watched, 'unexpected'), 'unexpected'),
    `${countOf(watched, 'cannot-tell')} cannot tell`,
    `${countOf(watched, 'client')} of the client`,
    ...some(countOf(watched, 'open'), 'open'),
    ...(unmetOf(watched).length > 0 ? [unmetCount(watched)] : []),
    about.join(', '),
  ].join(' · ');
}

/** What was watched comes to, for who reads one line only; `doubts` where it ends well and there is something to look at all the same. */
export function outcomeOf(result: RunResult, watched: Watched) {
  const code = exitOf(watched, result.requests);
  const number = (kind: Kind) => countOf(watched, kind);
  const doubts = [
    ...(number('unexpected') > 0 ? [`${number('unexpected')} unexpected`] : []),
    ...(number('cannot-tell') > 0 ? [`${number('cannot-tell')} cannot tell`] : []),
    ...(number('client') > 0 ? [`${number('client')} of the client`] : []),
    ...(isContradicted(watched) ? [unmetCount(watched)] : []),
  ];
  const held = `${counted(heldOf(result).length, 'clause')} held`;
  const violated = number('violated');
  const sentences: Readonly<Record<number, string>> = {
    0: doubts.length > 0 ? `Nothing is surely violated; ${doubts.join(', ')} (${held})` : `Nothing is violated (${held})`,
    1: `${counted(violated, 'clause')} ${violated === 1 ? 'is' : 'are'} violated`,
    3: 'The target gave no whole answer at all',
    4: 'Nothing that is stated could be judged',
  };
  return { good: code === 0, says: sentences[code] ?? `Exit code ${code}`, doubts: code === 0 && doubts.length > 0 };
}

/** Why it ends with a code that says that nothing was judged; nothing for one of a verdict. */
export function endTold(result: RunResult, watched: Watched): string | undefined {
  const all = result.requests;
  const answered = all - watched.lost;
  switch (exitOf(watched, all)) {
    case 3:
      return `Exit code 3: the target gave no whole answer to ${all === 1 ? 'the only request' : `any of ${all} requests`}.`;
    case 4: {
      if (all === 0) return 'Exit code 4: nothing was judged, because no request came.';
      if (watched.beside === all)
        return `Exit code 4: nothing was judged, because ${counted(all, 'request')} came and none to the service, whose paths all begin with /api/.`;
      const why =
        countOf(watched, 'cannot-tell') > 0
          ? 'and what was found could have been caused by somebody else'
          : 'as where a key is always refused';
      return `Exit code 4: nothing that is stated was held or violated by ${counted(answered, 'answer')}, ${why}.`;
    }
    default:
      return undefined;
  }
}

const unmetOf = ({ facts = [] }: Watched): WatchedRow[] => facts.filter(({ met }) => met === undefined);

/** Whether an exchange shows otherwise what the facts file says. */
export const isContradicted = (watched: Watched): boolean => unmetOf(watched).some(({ otherwise }) => otherwise !== undefined);

const unmetCount = (watched: Watched): string =>
  `${unmetOf(watched).length} of ${counted(watched.facts?.length ?? 0, 'row')} of the facts not met`;

/** What there is to say of a facts file, as a sentence and a line for each of its rows that was not met; nothing without one, or where each was. */
export function factsTold(watched: Watched): { readonly sentence: string; readonly rows: readonly string[] } | undefined {
  const { facts } = watched;
  if (!facts) return undefined;
  if (facts.length === 0)
    return { sentence: 'The facts file has no name, place or wrapper by which anything would be read otherwise.', rows: [] };
  const unmet = unmetOf(watched);
  if (unmet.length === 0) return undefined;
  const all = counted(facts.length, 'name, place or wrapper', 'names, places and wrappers');
  const none = `Of ${all} in the facts file, ${unmet.length} ${unmet.length === 1 ? 'was' : 'were'} met by no exchange`;
  const conclusion = isContradicted(watched)
    ? 'so that the file may not fit this deployment or its client'
    : `so that nothing was read by ${unmet.length === 1 ? 'it' : 'them'}`;
  return { sentence: `${none}, ${conclusion}.`, rows: unmet.map(unmetTold) };
}

function unmetTold({ kind, row, from, otherwise }: WatchedRow): string {
  const why =
    otherwise === undefined
      ? 'nothing passed that would show it'
      : `#${otherwise} ${kind === 'wrapper' ? 'is not wrapped so' : 'has it under the name of the contract'}`;
  return printable(`${row} (${from}): ${why}`);
}
