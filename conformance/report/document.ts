import { counted } from '../core/counted.ts';
import { ending } from '../core/exit.ts';
import type { Result } from '../core/result.ts';
import type { Exchange } from '../http/exchange.ts';
import { compareDocument } from './compare-document.ts';
import { fuzzDocument } from './fuzz-document.ts';
import { differingClauses } from './matrix.ts';
import { proxyDocument } from './proxy-document.ts';
import { runDocument } from './run-document.ts';

/** What a report says, in no format. Text, Markdown, JUnit and HTML are rendered from this alone. */
export interface Document {
  /** Name and version of the suite. */
  readonly suite: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly tone: 'good' | 'warning' | 'bad';
  /** The outcome in one sentence, without a period. */
  readonly title: string;
  readonly summary: readonly string[];
  readonly notices: readonly Notice[];
  readonly table?: Table;
  readonly groups: readonly Group[];
  /** How it was run, as label and text. */
  readonly setup: readonly Row[];
  /** Why the exit code is what it is; the last lines of a report. */
  readonly end: readonly string[];
  /** Set if the exit code is neither 0 nor explained by failed items. */
  readonly error?: string;
}

export type Row = readonly [label: string, text: string];

/** What the reader must know before the items. */
export interface Notice {
  /** In capitals. */
  readonly label: string;
  readonly text: string;
  readonly lines?: readonly string[];
}

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Group {
  readonly heading: string;
  readonly note?: string;
  readonly items: readonly Item[];
}

/** A clause or a finding. */
export interface Item {
  /** Unique in the document: the anchor of links. */
  readonly id: string;
  readonly name: string;
  /** The badge: a verdict, or the kind of a finding. */
  readonly status: string;
  /** What a CI tool shows. A failure fails the command; an error means that there is no verdict. */
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  /** How a terminal shows it: with all details, by name under its cause, or not at all without --verbose. */
  readonly shown: 'full' | 'cause' | 'verbose';
  /** Level and place in the specification. */
  readonly about: string;
  readonly text: string;
  /** One line that is the same for items with the same cause. */
  readonly cause: string;
  readonly details: readonly Row[];
  readonly exchanges: readonly Exchange[];
  /** The exchanges as lines for a shell. */
  readonly script?: string;
  readonly ms: number;
}

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
    title: `${counted(results.length, 'result')}: ${documents.map(({ title }, index) => `${letters[index]} ${title}`).join('; ')}`,
    summary: labelled(({ summary }, letter) => summary.map((line) => `${letter}  ${line}`)),
    notices: labelled(({ notices }, letter) => notices.map((each) => ({ ...each, text: `${letter}: ${each.text}` }))),
    table: differingClauses(results, letters),
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
    ...(code === 0 || isExplained ? {} : { error: end.join(' ') }),
  };
}

/** What the kind of a result adds to a document. */
export interface Content extends Pick<Document, 'summary' | 'notices' | 'groups' | 'setup'> {
  /** Set if the outcome is good and the reader should look at the items all the same. */
  readonly hasDoubts?: boolean;
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
export const letterOf = (index: number): string => (index < 26 ? String.fromCharCode(65 + index) : `#${index + 1}`);

/** The time from the start to the end of a result, in seconds. */
export const secondsOf = ({ startedAt, finishedAt }: Result): string =>
  `${((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000).toFixed(1)} s`;
