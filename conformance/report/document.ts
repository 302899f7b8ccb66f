import type { ShownLevel } from '../core/contract.ts';
import type { Result } from '../core/result.ts';
import type { Exchange } from '../http/exchange.ts';

/** The content of a report without a format. Text, Markdown, JUnit and HTML are rendered from this alone. */
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
}

export type Row = readonly [label: string, text: string];

/** Information that the reader needs before the items. */
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
  readonly items: readonly Item[];
}

/** A clause or a finding. */
export interface Item {
  /** Unique in the document: the anchor of links. */
  readonly id: string;
  readonly name: string;
  /** The badge: a verdict, or the kind of a finding. */
  readonly status: string;
  /** For CI tools. A failure fails the command; an error means that there is no verdict. */
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  /** In text: all details; the name under its cause; or nothing without --verbose. */
  readonly display: 'full' | 'cause' | 'verbose';
  /** Level and place in the specification. */
  readonly about: string;
  readonly text: string;
  /** One line that is the same for items with the same cause. */
  readonly cause: string;
  readonly details: readonly Row[];
  readonly exchanges: readonly Exchange[];
  /** A shell script that repeats the exchanges. */
  readonly script?: string;
  readonly ms: number;
}

/** The part of a document that depends on the kind of the result. */
export type Content = Pick<Document, 'summary' | 'notices' | 'groups' | 'setup'>;

/** An item with nothing in the fields that are left out. */
export const itemOf = (fields: Partial<Item> & Pick<Item, 'name' | 'status' | 'outcome' | 'display' | 'cause'>): Item => ({
  id: fields.name,
  about: '',
  text: '',
  details: [],
  exchanges: [],
  ms: 0,
  ...fields,
});

/** Level and place of a clause in the specification. */
export const aboutClause = (level: ShownLevel, from: readonly string[]): string =>
  [level, ...(from.length > 0 ? [from.join('; ')] : [])].join(' · ');

/** Notices of what a command left on the target. */
export const leftNotices = (sentences: readonly string[]): Notice[] => sentences.map((text) => ({ label: 'LEFT BEHIND', text }));

/** The time from the start to the end of a result, in seconds. */
export const secondsOf = ({ startedAt, finishedAt }: Result): string =>
  `${((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000).toFixed(1)} s`;
