import { answerTold } from '../core/expect.ts';
import type { ClauseResult, RunResult } from '../core/result.ts';
import { excerpt } from '../http/excerpt.ts';
import type { Cause } from './causes.ts';
import { curlLine } from './curl.ts';
import { shellWord } from './escape.ts';
import { likely } from './likely.ts';

/** Where the exchanges of a clause are shown, when they are: the path of a report.html. */
export interface Evidence {
  readonly page?: string | undefined;
}

/** The part of a run that says how to see something of it again. */
type Reproducible = Pick<RunResult, 'configuration'> & Partial<Pick<RunResult, 'target' | 'watched'>>;

/** What there is to say of a clause that wants attention, as label and text: Did, Expected, Got … */
export function tellFailure(
  clause: ClauseResult,
  result: Reproducible,
  { page }: Evidence = {},
): [label: string, text: string][] {
  const line = request(clause, result);
  const rows: [string, string | undefined][] = [
    ['Did', briefly(clause.did)],
    ['Expected', clause.expected],
    ['Got', clause.got],
    ['Detail', clause.detail],
    ['Known', clause.known],
    ['Control', clause.controls.join('; ')],
    ['Used fact', clause.assumptions.length > 0 ? `${clause.assumptions.join(', ')}  (open; seen on this target)` : undefined],
    ['Not judged', clause.notChecked],
    ['Likely', likely(clause)],
    ['Request', line],
    ['Variables', variablesTold(line)],
    // What others did cannot be done again.
    ['Again', result.watched ? undefined : again(clause, result)],
    ['Evidence', page === undefined ? undefined : `${page}#${clause.name}`],
  ];
  return rows.flatMap(([label, text]): [string, string][] => (text ? [[label, excerpt(text, 900)]] : []));
}

/** What was done, with what is the same time after time told once. */
function briefly(did: readonly string[]): string {
  const alike = (text = '') => text.replace(/named as \w+/, '');
  const first = did.flatMap((each, index) => (index === 0 || alike(each) !== alike(did[index - 1]) ? [index] : []));
  return first
    .map((from, nth) => {
      const times = (first[nth + 1] ?? did.length) - from;
      return times === 1 ? did[from] : `${did[from]} and ${times - 1} more such`;
    })
    .join('; ');
}

/** What was sent for the answer that should not have come, or else last, as a line for a shell, where all depends on how it is written. */
function request({ level, verdict, exchanges, got }: ClauseResult, { target }: Reproducible): string | undefined {
  if (level !== 'robustness' || verdict !== 'fail' || target === undefined) return undefined;
  const shown = exchanges.findLast(({ status, body }) => got === answerTold(status, body)) ?? exchanges.at(-1);
  return shown && curlLine(shown, target);
}

/** What the line stands on besides the key, and where it comes from. */
function variablesTold(line = ''): string | undefined {
  const all = new Set(line.match(/(?<="\$)\w+(?=")/g));
  all.delete('GIFTCARD_API_KEY');
  return all.size === 0
    ? undefined
    : `${[...all].map((each) => `$${each}`).join(', ')}: report.html (--out DIR) has the lines before it, which set them`;
}

/** The command that judges this clause alone once more. */
const again = ({ name }: ClauseResult, { configuration }: Reproducible) => `${configuration.again} ${shellWord(name)}`;

/** The first line of what is said of a clause: verdict and name, and where it comes from. */
export function title(clause: ClauseResult): string {
  const label = clause.verdict.toUpperCase();
  return `${`${label}  ${clause.name}`.padEnd(70)}${clause.level} · ${clause.from.join('; ')}`;
}

/** A clause as it stands in a terminal and in any other plain text. */
export function failureText(clause: ClauseResult, result: Reproducible, evidence: Evidence = {}): string {
  const rows = tellFailure(clause, result, evidence);
  const lines = rows.map(([label, text]) => `  ${label.padEnd(11)}${text}`);
  return `${title(clause)}\n  ${clause.text}\n\n${lines.join('\n')}\n`;
}

/** Clauses that did not come out for one reason, as they stand in a terminal: one in full, several by name with what they have in common. */
export function causeText({ says, clauses }: Cause, result: Reproducible, evidence: Evidence = {}): string {
  const [first] = clauses;
  if (!first) return '';
  if (clauses.length === 1) return failureText(first, result, evidence);
  const rows = tellFailure(first, result, evidence).filter(([label]) => label === 'Likely' || label === 'Again');
  const lines = rows.map(([label, text]) => `  ${label.padEnd(11)}${text}`);
  return `${first.verdict.toUpperCase()}  ${clauses.length} clauses: ${says}\n${clauses.map(({ name }) => `    ${name}\n`).join('')}${lines.join('\n')}\n`;
}
