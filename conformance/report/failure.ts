import { excerpt } from '../names.ts';
import type { ClauseResult, RunResult } from '../result.ts';
import { curlLine } from './curl.ts';
import { shellWord } from './escape.ts';
import { likely } from './likely.ts';

/** Where the exchanges of a clause are shown, when they are: the path of a report.html. */
export interface Evidence {
  readonly page?: string | undefined;
}

/** The part of a run that says how to see something of it again. */
export type Reproducible = Pick<RunResult, 'configuration'> & Partial<Pick<RunResult, 'target'>>;

/** What there is to say of a clause that wants attention, as label and text: Did, Expected, Got … */
export function tellFailure(
  clause: ClauseResult,
  result: Reproducible,
  { page }: Evidence = {},
): [label: string, text: string][] {
  const rows: [string, string | undefined][] = [
    ['Did', clause.did.join('; ')],
    ['Expected', clause.expected],
    ['Got', clause.got],
    ['Detail', clause.detail],
    ['Known', clause.known],
    ['Control', clause.control],
    ['Used fact', clause.usedFacts.length > 0 ? `${clause.usedFacts.join(', ')}  (open; seen on this target)` : undefined],
    ['Not judged', clause.notJudged],
    ['Likely', likely(clause)],
    ['Request', request(clause, result)],
    ['Again', again(clause, result)],
    ['Evidence', page === undefined ? undefined : `${page}#${clause.name}`],
  ];
  return rows.flatMap(([label, text]): [string, string][] => (text ? [[label, excerpt(text, 900)]] : []));
}

/** The last of what was sent, as a line for a shell, where all depends on how it is written. */
function request({ level, verdict, exchanges }: ClauseResult, { target }: Reproducible): string | undefined {
  const last = exchanges.at(-1);
  return level === 'robustness' && verdict === 'fail' && last && target !== undefined ? curlLine(last, target) : undefined;
}

/** The command that judges this clause alone once more. */
export const again = ({ name }: ClauseResult, { configuration }: Reproducible) => `${configuration.again} ${shellWord(name)}`;

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
