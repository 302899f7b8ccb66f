import type { RuleName } from '../../openapi/generated/rules.ts';
import { ruleTexts, type ShownLevel } from '../core/contract.ts';
import { causeAt, type Failing } from '../core/endpoints.ts';
import type { RuleResult } from '../core/result.ts';
import { excerpt } from '../core/text.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Result } from './result.ts';

/** The content of a report. All formats except JSON are rendered only from this content. */
export interface Document {
  readonly suite: string;
  readonly startedAt: string;
  readonly tone: 'good' | 'warning' | 'bad';
  /** The command and its target. */
  readonly headings: readonly string[];
  /** The base URL of the exchanges without another origin. */
  readonly target: string;
  readonly outcomes: readonly ReportOutcome[];
  /** Facts that every report shows below the outcome. */
  readonly summary: readonly string[];
  readonly notices: readonly ReportNotice[];
  readonly groups: readonly ReportGroup[];
  readonly setup: readonly ReportRow[];
}

interface ReportOutcome {
  /** PASS, FAIL or another word for the exit code. */
  readonly word: string;
  readonly title: string;
  /** The reasons for the exit code in one sentence, or an empty text. */
  readonly because: string;
}

export type ReportRow = readonly [label: string, text: string];

export interface ReportNotice {
  readonly label: string;
  readonly text: string;
  readonly lines?: readonly string[];
}

export interface ReportGroup {
  readonly heading: string;
  readonly items: readonly ReportItem[];
}

/** A rule, or a finding of a proxy. */
export interface ReportItem {
  /** The anchor of links. Unique in the document. */
  readonly id: string;
  readonly name: string;
  /** A verdict, or the kind of a finding. */
  readonly status: string;
  /** The outcome for CI tools. A failure fails the command. An item with an error has no verdict. */
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  /** How a text report shows the item. full: with all details · cause: only its name, below its cause · verbose: only with --verbose. */
  readonly display: 'full' | 'cause' | 'verbose';
  /** The level of a rule, and its places in the specification. Empty for other items. */
  readonly about: readonly string[];
  readonly text: string;
  /** Items with the same cause are grouped. */
  readonly cause: string;
  readonly details: readonly ReportRow[];
  readonly exchanges: readonly Exchange[];
  /** The index of the exchange that decided the status. */
  readonly decidedBy?: number;
  readonly ms: number;
}

/** The part of a document that differs between kinds of results. */
export interface Content extends Pick<Document, 'target' | 'summary' | 'notices' | 'groups' | 'setup'> {
  readonly heading: string;
  /** Default: the title of the ending. */
  readonly title?: string;
}

export const titleOf = ({ outcomes }: Pick<Document, 'outcomes'>): string =>
  outcomes.map(({ word, title }) => `${word}  ${title}`).join('; ');

/** Returns an item with empty values for missing fields. */
export const itemOf = (
  fields: Partial<ReportItem> & Pick<ReportItem, 'name' | 'status' | 'outcome' | 'display' | 'cause'>,
): ReportItem => ({
  id: fields.name,
  about: [],
  text: '',
  details: [],
  exchanges: [],
  ms: 0,
  ...fields,
});

/** Returns the level of a rule and its place in the specification. */
export const aboutRule = (level: ShownLevel, from: readonly string[]): string[] => [
  level,
  ...(from.length > 0 ? [from.join('; ')] : []),
];

export const leftNotices = (sentences: readonly string[]): ReportNotice[] =>
  sentences.map((text) => ({ label: 'LEFT BEHIND', text }));

export function ruleText(name: RuleName | undefined): Partial<ReportItem> {
  const rule = name && ruleTexts.get(name);
  return rule ? { about: aboutRule(rule.level, rule.from), text: rule.text } : {};
}

/** The first section of the specification that a rule names. */
export const headingOf = ({ from }: { readonly from: readonly string[] }): string => from[0]?.split(', ', 1)[0] ?? 'Other';

export const secondsOf = ({ startedAt, finishedAt }: Result): string =>
  `${((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000).toFixed(1)} s`;

/** Returns the cause of a verdict. If the rule ended at an endpoint where no request ever succeeded, the endpoint is the cause. */
export function causeOfRule(rule: RuleResult, failing: readonly Failing[]): string {
  const { verdict, fault, reason, detail = '', expected = '', got = '' } = rule;
  // All requests without a response have one cause, which the endpoint does not change.
  if (fault === 'transport') return excerpt(detail.replace(/^[A-Z]+ \S+ (?=got no response)/, 'a request '), 500);
  if (verdict === 'untested') return excerpt(`${reason}: ${detail}`, 500);
  const endpoint = failing.find(({ operation }) => operation === causeAt(rule)?.operation);
  if (endpoint) return `${endpoint.operation} never succeeded: ${endpoint.statuses.join(', ')}`;
  return verdict === 'fail' ? `expected ${excerpt(expected, 500)}; got ${excerpt(got, 500)}` : excerpt(detail, 500);
}

/** Groups items by status and cause. Ignores the numbers of cards in causes. */
export function groupByCause<T extends { readonly status: string; readonly cause: string }>(items: readonly T[]): [T, ...T[]][] {
  return [...groupBy(items, ({ status, cause }) => `${status} ${cause.replaceAll(/#\d+/g, '')}`).values()];
}

export function groupBy<T, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}
