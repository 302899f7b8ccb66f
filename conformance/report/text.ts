import { excerpt } from '../names.ts';
import type { ClauseResult, RunResult } from '../result.ts';
import type { Verdict } from '../verdict.ts';

/** A run as people read it in a terminal: failures in full, what was not judged by reason, the headline last. */
export function textReport(result: RunResult, again: (name: string) => string): string {
  const parts = [
    ...of(result, 'fail').map((clause) => failure(clause, again)),
    ...[...of(result, 'error'), ...of(result, 'blocked')].map(notReached),
    untested(result),
    result.cards.left.length === 0
      ? ''
      : `LEFT BEHIND  ${result.cards.left.map((card) => excerpt(card)).join(', ')}: see giftcard-sandbox conformance ledger for the codes; sweep tries again.\n`,
    result.webhooksLeft.length === 0
      ? ''
      : `LEFT BEHIND  webhook ${result.webhooksLeft.map((url) => excerpt(url)).join(', ')}: delete it by hand.\n`,
    headline(result),
  ];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

const of = (result: RunResult, verdict: Verdict) => result.clauses.filter((clause) => clause.verdict === verdict);

export function headline(result: RunResult): string {
  const levels = (['stated', 'ambiguous', 'robustness', 'open'] as const).flatMap((level) => {
    const clauses = result.clauses.filter((clause) => clause.level === level);
    if (clauses.length === 0) return [];
    const shown = (['pass', 'fail', 'observed', 'untested', 'blocked', 'error'] as const).flatMap((verdict) => {
      const number = clauses.filter((clause) => clause.verdict === verdict).length;
      return number > 0 || verdict === 'pass' || verdict === 'fail' ? [`${number} ${verdict}`] : [];
    });
    return [`${level} ${shown.join(', ')} of ${clauses.length}`];
  });
  const { created, voided, left } = result.cards;
  return [
    ...levels,
    ...(result.unwritten.length > 0 ? [`${result.unwritten.length} clauses have no test yet`] : []),
    `${created} cards created, ${voided} voided, ${left.length} left`,
    `${result.requests} requests, peak ${result.peakPerMinute}/min`,
  ].join(' · ');
}

function failure(clause: ClauseResult, again: (name: string) => string): string {
  const rows: [string, string | undefined][] = [
    ['Did', clause.did.join('; ')],
    ['Expected', clause.expected],
    ['Got', clause.got],
    ['Control', clause.control],
    ['Used fact', clause.usedFacts.length > 0 ? `${clause.usedFacts.join(', ')}  (open; seen on this target)` : undefined],
    ['Not judged', clause.notJudged],
    ['Again', again(clause.name)],
  ];
  const lines = rows.flatMap(([label, text]) => (text ? [`  ${label.padEnd(11)}${excerpt(text, 900)}`] : []));
  return `${title('FAIL', clause)}\n  ${clause.text}\n\n${lines.join('\n')}\n`;
}

function notReached(clause: ClauseResult): string {
  return `${title(clause.verdict.toUpperCase(), clause)}\n  ${excerpt(clause.detail ?? '', 500)}\n`;
}

function title(label: string, clause: ClauseResult): string {
  return `${`${label}  ${clause.name}`.padEnd(70)}${clause.level} · ${clause.from.join('; ')}`;
}

const fewNames = 8;

function untested(result: RunResult): string {
  const clauses = of(result, 'untested');
  if (clauses.length === 0) return '';
  const why = ({ reason, detail }: ClauseResult) => `${reason}: ${detail}`;
  const lines = [...new Set(clauses.map(why))].map((each) => {
    const names = clauses.filter((clause) => why(clause) === each).map(({ name }) => name);
    const more = names.length > fewNames ? [`and ${names.length - fewNames} more; results.json (--out DIR) has them all`] : [];
    return [`  ${excerpt(each, 300)}`, ...[...names.slice(0, fewNames), ...more].map((name) => `    ${name}`)].join('\n');
  });
  return `UNTESTED\n${lines.join('\n')}\n`;
}
