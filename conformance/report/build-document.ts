import { type ExitCode, ending, exitCodes } from '../core/exit.ts';
import type { Result } from '../core/result.ts';
import { compareDocument } from './compare-document.ts';
import type { Content, Document, ReportRow } from './document.ts';
import { fuzzDocument } from './fuzz-document.ts';
import { proxyDocument } from './proxy-document.ts';
import { runDocument } from './run-document.ts';

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
  const { code: own, title: sentence, because } = ending(result);
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
  switch (result.kind) {
    case 'run':
      return runDocument(result);
    case 'compare':
      return compareDocument(result);
    case 'fuzz':
      return fuzzDocument(result);
    case 'proxy':
      return proxyDocument(result);
  }
}
