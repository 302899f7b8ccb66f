import { ending } from '../core/exit.ts';
import type { Result } from '../core/result.ts';
import { excerpt, formatCount } from '../core/text.ts';
import { compareDocument } from './compare-document.ts';
import type { Content, Document, Row, Table } from './document.ts';
import { fuzzDocument } from './fuzz-document.ts';
import { proxyDocument } from './proxy-document.ts';
import { runDocument } from './run-document.ts';

/** The document of one result, or of several with a table of the clauses in which they differ. */
export function documentOf(results: readonly Result[]): Document {
  const documents = results.map(singleDocument);
  const [only] = documents;
  if (only && documents.length === 1) return only;
  const letters = results.map((_, index) => letterOf(index));
  const labelled = <T>(of: (document: Document, letter: string) => readonly T[]): T[] =>
    documents.flatMap((document, index) => of(document, letters[index] ?? ''));
  const worst = documents.find(({ tone }) => tone === 'bad') ?? documents.find(({ tone }) => tone === 'warning');
  return {
    suite: only?.suite ?? '',
    startedAt: only?.startedAt ?? '',
    tone: worst?.tone ?? 'good',
    title: `${formatCount(results.length, 'result')}: ${documents.map(({ title }, index) => `${letters[index]} ${title}`).join('; ')}`,
    summary: labelled(({ summary }, letter) => summary.map((line) => `${letter}  ${line}`)),
    notices: labelled(({ notices }, letter) => notices.map((each) => ({ ...each, text: `${letter}: ${each.text}` }))),
    ...(results.every(({ kind }) => kind === 'run') ? { table: differingClauses(results, letters) } : {}),
    groups: labelled(({ groups }, letter) =>
      groups.map((group) => ({
        ...group,
        heading: `${letter} · ${group.heading}`,
        items: group.items.map((item) => ({ ...item, id: `${letter}-${item.id}` })),
      })),
    ),
    setup: labelled(({ setup }, letter) => setup.map(([label, text]): Row => [`${letter} ${label}`, text])),
    end: labelled(({ end }, letter) => end.map((line) => `${letter}: ${line}`)),
  };
}

function singleDocument(result: Result): Document {
  const { suite, startedAt } = result;
  const { code, title, because } = ending(result);
  const content = contentOf(result);
  const isExplained = content.groups.some(({ items }) =>
    items.some(({ outcome }) => outcome === 'failure' || outcome === 'error'),
  );
  const end = because.length === 0 ? [] : [`Exit code ${code}${code === 0 ? ', but' : ':'} ${because.join('; ')}.`];
  return {
    suite,
    startedAt,
    tone: code !== 0 ? 'bad' : content.hasDoubts ? 'warning' : 'good',
    title,
    end,
    ...content,
    setup: [['Suite', suite], ['Started', startedAt], ...content.setup],
    ...(code === 0 || isExplained ? {} : { error: end.join(' ') }),
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

/** Names a result among several: A, B, … */
const letterOf = (index: number): string => (index < 26 ? String.fromCharCode(65 + index) : `#${index + 1}`);

/** The clauses with different outcomes in several results: one row per clause, one column per result. */
function differingClauses(results: readonly Result[], letters: readonly string[]): Table {
  const outcomes = results.map((result) => new Map(outcomesOf(result)));
  const names = [...new Set(outcomes.flatMap((each) => [...each.keys()]))];
  const rows = names
    .map((name) => [name, ...outcomes.map((each) => each.get(name) ?? '–')])
    .filter(([, ...cells]) => new Set(cells).size > 1);
  return {
    title: `${rows.length} of ${formatCount(names.length, 'clause')} with different outcomes`,
    head: ['Clause', ...letters],
    rows,
  };
}

/** The observation, if there is one; else the verdict. */
function outcomesOf(result: Result): [name: string, outcome: string][] {
  if (result.kind !== 'run') return [];
  return result.clauses.map(({ name, verdict, observation }) => [name, excerpt(observation?.text ?? verdict, 60)]);
}
