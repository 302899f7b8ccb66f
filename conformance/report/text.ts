import { exitCodes } from '../core/exit.ts';
import { formatCount } from '../core/text.ts';
import { type Document, groupBy, groupByCause, type ReportItem, type ReportNotice, type ReportRow, titleOf } from './document.ts';
import { codeBlock, visible } from './escape.ts';

export interface TextOptions {
  /** Adds counts and the names of rules that neither pass nor fail. */
  readonly verbose?: boolean;
  /** The path of report.html. Failures refer to this page. */
  readonly page?: string | undefined;
  readonly color?: boolean;
}

/** Renders the failures with their details, then the outcome and the reason for the exit code. */
export function textReport(document: Document, { verbose = false, page, color = false }: TextOptions = {}): string {
  const { headings, notices, groups } = document;
  const items = groups.flatMap((group) => group.items);
  const full = items.filter(({ display }) => display === 'full');
  const others = items.filter(({ display, status }) => (verbose ? display !== 'full' && status !== 'pass' : display === 'cause'));
  const parts = [...notices.map(noticeText), ...fullTexts(full, page), ...listed(others, verbose)];
  const last = page === undefined ? (verbose ? '' : 'Details: --verbose, --out FOLDER') : `Report: ${page}`;
  const end = outcomeText(document, last);
  const text = visible([lines(headings), ...parts, ''].join(parts.length > 0 ? '\n' : '') + end);
  return color ? text.replace(colored, (word) => `\x1b[${colors[word] ?? 33}m${word}\x1b[0m`) : text;
}

/** The codes of green and red. Other words are yellow. */
const colors: Readonly<Record<string, number>> = { PASS: 32, FAIL: 31 };
const colored = new RegExp(
  `^(${Object.values(exitCodes)
    .map(({ word }) => word)
    .join('|')}|BLOCKED|ERROR)(?=  |$)`,
  'gm',
);

/** Renders the outcome, its reason and the summary. The text `more` ends the last line. */
function outcomeText({ outcomes, summary }: Document, more: string): string {
  const texts = outcomes.flatMap(({ word, title, because }) => [
    `${word}  ${title}`,
    ...(because === '' ? [] : [' '.repeat(word.length + 2) + because]),
  ]);
  const last = `${(summary.at(-1) ?? '').padEnd(44)}  ${more}`.trim();
  return lines([...texts, ...summary.slice(0, -1), ...(last === '' ? [] : [last])]);
}

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

const noticeText = ({ label, text, lines: more = [] }: ReportNotice): string =>
  lines([`${label}  ${text}`, ...more.map((line) => `    ${line}`)]);

/** Renders, for each cause, the details of one item and the names of the other items. */
const fullTexts = (items: readonly ReportItem[], page: string | undefined): string[] =>
  groupByCause(items).map(
    ([first, ...others]) => itemText(first, page) + (others.length > 0 ? row([`Also ${others.length}`, names(others)]) : ''),
  );

export function itemText({ status, name, about, text, details, id, exchanges }: ReportItem, page?: string): string {
  const evidence: ReportRow[] = page !== undefined && exchanges.length > 0 ? [['Evidence', `${page}#${id}`]] : [];
  const head = `${`${status.toUpperCase()}  ${name}`.padEnd(60)}  ${about.join(' · ')}`.trimEnd();
  return `${head}\n${text === '' ? '' : `      ${text}\n`}${[...details, ...evidence].map(row).join('')}`;
}

const row = ([label, text]: ReportRow): string => `      ${label.padEnd(13)}${text}\n`;
const names = (items: readonly ReportItem[]): string => items.map(({ name }) => name).join(', ');

/** The largest number of causes that a report shows without --verbose. */
const mostCauses = 5;

/** Lists items by status. Without --verbose, shows the causes with their numbers of items. */
function listed(items: readonly ReportItem[], verbose: boolean): string[] {
  return [...groupBy(items, ({ status }) => status)].map(([status, own]) => {
    const causes = groupByCause(own).map(
      ([{ name, cause }, ...more]) => `${more.length > 0 ? `${more.length + 1} rules` : name}: ${cause}`,
    );
    const others = causes.length > mostCauses ? [`and ${formatCount(causes.length - mostCauses, 'more cause')}`] : [];
    const shown = verbose
      ? own.map(({ name, cause }) => `${name.padEnd(50)}  ${cause}`)
      : [...causes.slice(0, mostCauses), ...others];
    return lines([status.toUpperCase(), ...shown.map((line) => `    ${line}`)]);
  });
}

/** Limits the size of the report, because GitHub shows at most one megabyte of a job summary. */
const mostCharacters = 250_000;

const marks: Readonly<Record<Document['tone'], string>> = { good: '✅', warning: '⚠️', bad: '❌' };

/** Renders the outcome as a heading, and the text report in a code block. */
export function markdownReport(document: Document, page?: string): string {
  const text = textReport(document, { page });
  const shown = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
  return `## ${marks[document.tone]} ${visible(titleOf(document))}\n\n${codeBlock(shown.trimEnd())}\n`;
}
