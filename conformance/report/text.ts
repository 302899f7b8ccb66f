import { formatCount } from '../core/text.ts';
import { byCause, groupBy } from './causes.ts';
import type { Document, Item, Notice, Row } from './document.ts';
import { visible } from './escape.ts';

export interface TextOptions {
  /** Lists observed, untested and known clauses by name. */
  readonly verbose?: boolean;
  /** The path of report.html. Failures refer to this page. */
  readonly page?: string | undefined;
}

/** Renders the outcome, the failures with their details, and the reason for the exit code. */
export function textReport(document: Document, { verbose = false, page }: TextOptions = {}): string {
  const items = document.groups.flatMap((group) => group.items);
  const hidden = items.filter(({ display, status }) => display === 'verbose' && status !== 'pass');
  const parts = [
    lines([document.title, ...document.summary.map((line) => `  ${line}`)]),
    ...document.notices.map(noticeText),
    ...fullTexts(
      items.filter(({ display }) => display === 'full'),
      page,
    ),
    ...listed(items.filter(({ display }) => display === 'cause')),
    ...(verbose ? listed(hidden) : []),
    ...(hidden.length > 0 && !verbose
      ? [`${formatCount(hidden.length, 'more item')}: --verbose lists them, and ${page ?? '--out FOLDER'} shows all details.\n`]
      : []),
    ...(document.end.length > 0 ? [lines(document.end)] : []),
  ];
  return visible(parts.join('\n'));
}

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

const noticeText = ({ label, text, lines: more = [] }: Notice): string =>
  lines([`${label}  ${text}`, ...more.map((line) => `    ${line}`)]);

/** Renders, for each cause, the details of one item and the names of the other items. */
export const fullTexts = (items: readonly Item[], page: string | undefined): string[] =>
  byCause(items).map(
    ([first, ...others]) => itemText(first, page) + (others.length > 0 ? row([`Also ${others.length}`, names(others)]) : ''),
  );

export function itemText({ status, name, about, text, details, id, exchanges }: Item, page?: string): string {
  const evidence: Row[] = page !== undefined && exchanges.length > 0 ? [['Evidence', `${page}#${id}`]] : [];
  const head = `${`${status.toUpperCase()}  ${name}`.padEnd(70)}${about}`.trimEnd();
  return `${head}\n${text === '' ? '' : `  ${text}\n`}\n${[...details, ...evidence].map(row).join('')}`;
}

const row = ([label, text]: Row): string => `  ${label.padEnd(13)}${text}\n`;
const names = (items: readonly Item[]): string => items.map(({ name }) => name).join(', ');

/** Lists items by status. Items that --verbose adds have a line each. Other items are grouped by cause. */
function listed(items: readonly Item[]): string[] {
  return [...groupBy(items, ({ status }) => status)].map(([status, own]) => {
    const groups = byCause(own).flatMap((alike) =>
      alike.length === 1 || alike[0].display === 'verbose'
        ? alike.map(({ name, cause }) => `    ${name.padEnd(50)}  ${cause}`)
        : [`  ${alike[0].cause}`, `    ${names(alike)}`],
    );
    return lines([status.toUpperCase(), ...groups]);
  });
}
