import type { ClauseResult, RunResult } from '../../core/result.ts';
import type { Exchange } from '../../http/exchange.ts';
import { curlScript } from '../curl.ts';
import { escaped } from '../escape.ts';
import { tellFailure } from '../failure.ts';
import { remarks } from '../text.ts';
import type { Places } from './exchanges.ts';

/** A clause as each run found it; none where the run did not judge it. */
export interface Row {
  readonly clause: ClauseResult;
  readonly found: readonly { readonly run: RunResult; readonly letter: string; readonly clause: ClauseResult | undefined }[];
}

/** One clause, folded: its verdicts, its statement, and within what was done for it with every exchange. */
export function clauseDetails({ clause, found }: Row, places: Places): string {
  const judged = found.flatMap(({ clause: one }) => (one ? [one] : []));
  const verdicts = [...new Set(judged.map(({ verdict }) => verdict))];
  const open = found.length === 1 && judged.some(({ verdict }) => verdict === 'fail') ? ' open' : '';
  const all = [...verdicts, ...(differs(found) ? ['differs'] : [])].join(' ');
  const words = escaped(`${clause.name} ${clause.text} ${clause.from.join(' ')} ${clause.level}`.toLowerCase());
  const facts = [
    ...new Set(judged.flatMap(({ observation, reason }) => (observation ? [observation.text] : reason ? [reason] : []))),
  ];
  const told =
    found.length === 1 ? facts.map((observation) => ` <strong>→ <code>${escaped(observation)}</code></strong>`).join('') : '';
  return `<details class="clause" id="${escaped(clause.name)}" data-verdicts="${all}" data-words="${words}"${open}>
<summary><span class="cells">${found.map((one) => badge(one.clause, found.length > 1 ? one.letter : undefined)).join('')}</span>
<span class="what"><span class="name">${escaped(clause.name)}</span><p>${escaped(clause.text)}${told}</p></span>
<span class="level">${clause.level}</span></summary>
${found
  .map(({ run, letter, clause: one }, index) =>
    one
      ? account(
          one,
          run,
          (each) => places.shown(index, one.name, each),
          found.length > 1 ? `${letter} · ${run.target}` : undefined,
        )
      : '',
  )
  .join('')}</details>
`;
}

/** Whether two runs disagree about a clause that both have judged. */
function differs(found: Row['found']): boolean {
  return new Set(found.map(({ clause }) => `${clause?.verdict} ${clause?.observation?.text}`)).size > 1;
}

function badge(clause: ClauseResult | undefined, letter: string | undefined): string {
  const prefix = letter === undefined ? '' : `${letter} `;
  if (!clause) return `<span class="badge none">${prefix}–</span>`;
  const observation = letter !== undefined && clause.observation ? clause.observation.text : clause.verdict;
  const short = observation.length > 24 ? `${observation.slice(0, 23)}…` : observation;
  return `<span class="badge ${clause.verdict}">${prefix}${escaped(short)}</span>`;
}

function account(
  clause: ClauseResult,
  run: RunResult,
  shown: (exchanges: readonly Exchange[]) => string,
  heading: string | undefined,
): string {
  const did = clause.did.map((each) => `<li>${escaped(each)}</li>`).join('');
  const rows = tellFailure(clause, run).flatMap(([label, text]): [string, string][] => {
    if (label === 'Did') return [[label, `<ol>${did}</ol>`]];
    if (label === 'Again') return [[label, `<code>${escaped(text)}</code>`]];
    return [[label, label === 'Got' ? `<span class="got">${escaped(text)}</span>` : escaped(text)]];
  });
  const all: [string, string][] = [
    ['From', escaped(clause.from.join('; '))],
    ['Verdict', escaped([clause.verdict, clause.reason].filter(Boolean).join(': '))],
    ...(clause.observation
      ? [
          ['Observed', `<code>${escaped(clause.observation.text)}</code>${escaped(remarks(clause.observation))}`] as [
            string,
            string,
          ],
        ]
      : []),
    ...rows,
  ];
  return `<div class="run">${heading === undefined ? '' : `<h4>${escaped(heading)}</h4>`}
<dl>${all.map(([label, text]) => `<dt>${label}</dt><dd>${text}</dd>`).join('')}</dl>
${exchanges(clause, run, shown)}</div>
`;
}

function exchanges(
  { exchanges: each, ms }: ClauseResult,
  { target, watched }: RunResult,
  shown: (exchanges: readonly Exchange[]) => string,
): string {
  if (each.length === 0) return '';
  const number = each.length === 1 ? 'One exchange' : `${each.length} exchanges`;
  // What others sent is known by names only, which nobody could send.
  const lines = watched
    ? ''
    : `<details class="exchange"><summary>As lines for a shell</summary><pre>${escaped(curlScript(each, target))}</pre></details>`;
  return `<div class="exchanges"><h5>${number}${watched ? '' : `, ${ms} ms`}</h5>
${shown(each)}${lines}</div>
`;
}
