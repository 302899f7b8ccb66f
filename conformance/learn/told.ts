import { counted } from '../core/counted.ts';
import { neverAnswered } from '../core/endpoints.ts';
import type { ClauseResult, RunResult } from '../core/result.ts';
import { excerpt } from '../http/excerpt.ts';
import { causesOf } from '../report/causes.ts';
import { costTold, interruptedTold } from '../report/headline.ts';
import { leftBehind, receipt, remarks } from '../report/text.ts';

/** What was learned, as people read it: what is new or otherwise than it was, what could not be learned and why, and what it cost. `file` is where it stands now; without, it could not be written. */
export function learnedTold(result: RunResult, leftOut: readonly string[], file: string | undefined): string {
  const seen = result.clauses.filter(({ observation }) => observation);
  const since = (which: 'new' | 'changed' | 'same') => seen.filter(({ observation }) => observation?.since === which);
  const missing = result.clauses.filter(({ observation, verdict }) => !observation && verdict !== 'fail');
  const counts = [...(['new', 'changed', 'same'] as const).map((which) => `${since(which).length} ${which}`)];
  const brokenOff = interruptedTold(result).map((sentence) => `${sentence}\n`);
  const parts = [
    ...brokenOff,
    section('VIOLATED', result.clauses.filter(({ verdict }) => verdict === 'fail').map(violated)),
    section('LEARNED', [...since('changed'), ...since('new')].map(line(seen))),
    section(
      'LEFT OUT of what the mock takes',
      leftOut.map((sentence) => excerpt(sentence, 400)),
    ),
    section(
      'NOT LEARNED',
      causesOf(missing, neverAnswered(result)).map(
        ({ says, clauses }) => `${String(clauses.length).padStart(3)}  ${says}${few(clauses)}`,
      ),
    ),
    section('', leftBehind(result)),
    receipt(result),
    `${counted(seen.length, 'clause')} learned (${counts.join(', ')}), ${result.clauses.length - seen.length} not · ${costTold(result)}\n`,
    seen.length === 0
      ? 'Nothing was learned, and nothing was written.\n'
      : file === undefined
        ? 'It could not be written, and stands here only.\n'
        : `${file} has them. Any of them may be a setting of the account and no rule of the service. giftcard-sandbox mock --facts ${file} answers so.\n`,
    ...brokenOff,
  ];
  return parts.filter((part) => part !== '').join('');
}

const line =
  (all: readonly ClauseResult[]) =>
  ({ name, observation }: ClauseResult): string =>
    observation
      ? `${name.padEnd(Math.max(...all.map((each) => each.name.length)) + 2)}${excerpt(observation.text, 200)}${remarks(observation)}`
      : name;

const violated = ({ name, expected = '', got = '' }: ClauseResult) =>
  `${name}  expected ${excerpt(expected)}; got ${excerpt(got)}`;

function few(clauses: readonly ClauseResult[]): string {
  const names = clauses.slice(0, 3).map(({ name }) => name);
  const more = clauses.length - names.length;
  return `\n         ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${title === '' ? '' : `${title}\n`}${lines.map((each) => `    ${each}\n`).join('')}`;
