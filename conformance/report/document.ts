import type { Result } from '../core/result.ts';
import type { Exchange } from '../http/exchange.ts';

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

/** What the kind of a result adds to a document. */
export interface Content extends Pick<Document, 'summary' | 'notices' | 'groups' | 'setup'> {
  /** Set if the outcome is good and the reader should look at the items all the same. */
  readonly hasDoubts?: boolean;
}

/** The time from the start to the end of a result, in seconds. */
export const secondsOf = ({ startedAt, finishedAt }: Result): string =>
  `${((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000).toFixed(1)} s`;
