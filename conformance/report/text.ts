import { formatCount } from '../core/text.ts';
import { byCause, groupBy } from './causes.ts';
import type { Document, Item, Notice, Table } from './document.ts';
import { visible } from './escape.ts';

export interface TextOptions {
  /** Lists observed, untested and known clauses by name. */
  readonly verbose?: boolean;
  /** The path of report.html, which failures name. */
  readonly page?: string | undefined;
  /** Whether the report names the flags that list hidden items. Default: true. */
  readonly countsHidden?: boolean;
}

/** For a terminal: the outcome, the failures with their details, and the reason for the exit code. */
export function textReport(document: Document, { verbose = false, page, countsHidden = true }: TextOptions = {}): string {
  const items = document.groups.flatMap((group) => group.items);
  const hidden = items.filter(({ display, outcome }) => display === 'verbose' && outcome !== 'passed').length;
  const parts = [
    `${[document.title, ...document.summary.map((line) => `  ${line}`)].join('\n')}\n`,
    ...document.notices.map(noticeText),
    ...(document.table ? [tableText(document.table)] : []),
    ...failures(items, page),
    ...listed(items.filter(({ display }) => display === 'cause' || (verbose && display === 'verbose'))),
    ...(hidden > 0 && !verbose && countsHidden
      ? [
          `${formatCount(hidden, 'more item')}: --verbose lists them, ${page === undefined ? '--out FOLDER writes reports with' : `${page} has`} all details.\n`,
        ]
      : []),
    ...(document.end.length > 0 ? [`${document.end.join('\n')}\n`] : []),
  ];
  return visible(parts.join('\n'));
}

const noticeText = ({ label, text, lines = [] }: Notice): string =>
  `${label}  ${text}\n${lines.map((line) => `    ${line}\n`).join('')}`;

function tableText({ title, head, rows }: Table): string {
  if (rows.length === 0) return `${title}\n`;
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)) + 2);
  const lines = [head, ...rows].map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(''));
  return `${title}\n${lines.map((line) => `  ${line.trimEnd()}\n`).join('')}`;
}

/** Failures with one cause are listed by name, with their common details. */
function failures(items: readonly Item[], page: string | undefined): string[] {
  const full = byCause(items.filter(({ display }) => display === 'full')).toReversed();
  return full.map((alike) => {
    const [first] = alike;
    if (!first) return '';
    if (alike.length === 1) return itemText(first, page);
    const shared = first.details.filter(([label]) => label === 'Likely' || label === 'Again');
    return `${first.status.toUpperCase()}  ${formatCount(alike.length, 'clause')}: ${first.cause}\n${names(alike)}${rows(shared)}`;
  });
}

/** One item with all its details, in lines. */
export function itemText({ status, name, about, text, details, id, exchanges }: Item, page?: string): string {
  const evidence = page !== undefined && exchanges.length > 0 ? [['Evidence', `${page}#${id}`] as const] : [];
  const head = `${`${status.toUpperCase()}  ${name}`.padEnd(70)}${about}`.trimEnd();
  return `${head}\n${text === '' ? '' : `  ${text}\n`}\n${rows([...details, ...evidence])}`;
}

const rows = (details: Item['details']): string => details.map(([label, text]) => `  ${label.padEnd(13)}${text}\n`).join('');

/** Items by status and cause. An item without others of its cause takes one line. */
function listed(items: readonly Item[]): string[] {
  const byStatus = groupBy(
    items.filter(({ outcome, status }) => outcome !== 'passed' || status === 'held'),
    ({ status }) => status,
  );
  return [...byStatus].map(([status, own]) => {
    const width = Math.max(...own.map(({ name }) => name.length)) + 2;
    const lines = byCause(own).map((alike) =>
      alike.length === 1 ? `    ${alike[0]?.name.padEnd(width)}${alike[0]?.cause}\n` : `  ${alike[0]?.cause}\n${names(alike)}`,
    );
    return `${status.toUpperCase()}\n${lines.join('')}`;
  });
}

const mostNames = 8;

function names(items: readonly Item[]): string {
  const more = items.length > mostNames ? [`and ${items.length - mostNames} more (results.json has all)`] : [];
  return [...items.slice(0, mostNames).map(({ name }) => name), ...more].map((name) => `    ${name}\n`).join('');
}
