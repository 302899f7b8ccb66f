import { type ExitCode, exitCodes } from '../core/exit.ts';
import { describeCards, formatCount } from '../core/text.ts';
import type { FuzzFailure, FuzzResult } from '../fuzz/result.ts';
import { compareDocument } from './compare-document.ts';
import {
  type Content,
  type Document,
  itemOf,
  leftNotices,
  type ReportItem,
  type ReportRow,
  ruleText,
  secondsOf,
} from './document.ts';
import { proxyDocument } from './proxy-document.ts';
import { endingOf, type Result } from './result.ts';
import { leftBehind, runDocument } from './run-document.ts';

/** Returns the document of one or several results. `code` replaces the exit code of a single result. If there are several results, marks the texts of each result with a letter. */
export function buildDocument(results: readonly Result[], code?: ExitCode): Document {
  const documents = results.map((result) => singleDocument(result, code));
  const [first] = documents;
  if (!first) throw new Error('A report has at least one result.');
  if (documents.length === 1) return first;
  const letters = documents.map((_, index) => String.fromCharCode('A'.charCodeAt(0) + index));
  const lettered = <T>(of: (document: Document, letter: string) => readonly T[]): T[] =>
    documents.flatMap((document, index) => of(document, letters[index] ?? ''));
  return {
    suite: first.suite,
    startedAt: first.startedAt,
    target: first.target,
    tone: (['bad', 'warning'] as const).find((tone) => documents.some((each) => each.tone === tone)) ?? 'good',
    headings: lettered(({ headings }, letter) => headings.map((line) => `${letter}  ${line}`)),
    outcomes: lettered(({ outcomes }, letter) => outcomes.map((each) => ({ ...each, title: `${letter}: ${each.title}` }))),
    summary: lettered(({ summary }, letter) => summary.map((line) => `${letter}  ${line}`)),
    notices: lettered(({ notices }, letter) => notices.map((each) => ({ ...each, text: `${letter}: ${each.text}` }))),
    groups: lettered(({ groups }, letter) =>
      groups.map(({ heading, items }) => ({
        heading: `${letter} · ${heading}`,
        items: items.map((item) => ({ ...item, id: `${letter}-${item.id}` })),
      })),
    ),
    setup: lettered(({ setup }, letter) => setup.map(([label, text]): ReportRow => [`${letter} ${label}`, text])),
  };
}

function singleDocument(result: Result, given: ExitCode | undefined): Document {
  const { suite, startedAt } = result;
  const { code: own, title: sentence, because } = endingOf(result);
  const code = given ?? own;
  const { heading, title = sentence, ...content } = contentOf(result);
  const hasDoubts = content.groups.some(({ items }) => items.some(({ display }) => display === 'full'));
  const reasons = because.length === 0 ? '' : `Exit code ${code}${code === 0 ? ', but' : ':'} ${because.join('; ')}.`;
  return {
    suite,
    startedAt,
    tone: code !== 0 ? 'bad' : hasDoubts ? 'warning' : 'good',
    headings: [heading],
    outcomes: [{ word: exitCodes[code].word, title, because: reasons }],
    ...content,
    setup: [['Suite', suite], ['Started', startedAt], ...content.setup],
  };
}

function contentOf(result: Result): Content {
  if (result.kind === 'run') return runDocument(result);
  if (result.kind === 'compare') return compareDocument(result);
  return result.kind === 'fuzz' ? fuzzDocument(result) : proxyDocument(result);
}

function fuzzDocument(result: FuzzResult): Content {
  const { target, seed, cases, shrinks, failures, requests, cards } = result;
  return {
    heading: `giftcard conformance fuzz · ${target}`,
    target,
    summary: [
      `${formatCount(cases, 'case')} from seed ${seed}${shrinks > 0 ? `, then ${formatCount(shrinks, 'shorter case')}` : ''}`,
      `${secondsOf(result)} · ${formatCount(requests, 'request')}`,
      describeCards(cards),
    ],
    notices: leftNotices(leftBehind(result)),
    groups: failures.length > 0 ? [{ heading: 'Failures', items: failures.map(failureItem) }] : [],
    setup: [
      ['Target', target],
      ['Seed', String(seed)],
    ],
  };
}

function failureItem({ rule, did, expected, got, again, exchanges }: FuzzFailure, index: number): ReportItem {
  const steps = did.map((step, at): ReportRow => [at === 0 ? 'Did' : '', `${at + 1}. ${step}`]);
  return itemOf({
    id: `failure-${index + 1}`,
    name: rule ?? `failure ${index + 1}`,
    status: 'fail',
    outcome: 'failure',
    display: 'full',
    ...ruleText(rule),
    cause: `expected ${expected}; got ${got} (${again})`,
    details: [...steps, ['Expected', expected], ['Got', got], ['Again', again]],
    exchanges,
    decidedBy: exchanges.length - 1,
  });
}
