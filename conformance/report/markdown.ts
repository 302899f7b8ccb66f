import { type Document, titleOf } from './document.ts';
import { codeBlock, inlineCode, markdownTable, visible } from './escape.ts';
import { fullTexts } from './text.ts';

/** Limits the size of the report, because GitHub shows at most one megabyte of a job summary. */
const mostItems = 100;

const marks: Readonly<Record<Document['tone'], string>> = { good: '✅', warning: '⚠️', bad: '❌' };

/** Renders the outcome, notices, failures and a table of counts for a job summary. */
export function markdownReport(document: Document, page?: string): string {
  const { headings, outcomes, tone, summary, facts, suite, startedAt, notices, groups } = document;
  const items = groups.flatMap((group) => group.items);
  const prominent = fullTexts(
    items.filter(({ display }) => display !== 'verbose'),
    page,
  );
  const parts = [
    `## ${marks[tone]} ${visible(titleOf(document))}`,
    list([`${inlineCode(suite)}, ${startedAt}`, ...[...headings, ...summary, ...facts].map(inlineCode)]),
    ...notices.map(({ label, text, lines = [] }) => `**${label}** ${visible(text)}\n${list(lines.map(inlineCode))}`),
    ...prominent.slice(0, mostItems).map(codeBlock),
    ...(prominent.length > mostItems ? [`… and ${prominent.length - mostItems} more.`] : []),
    ...(items.length > 0 ? [countsTable(groups)] : []),
    ...outcomes.flatMap(({ because }) => (because === '' ? [] : [visible(because)])),
  ];
  return `${parts.join('\n\n')}\n`;
}

const list = (texts: readonly string[]): string => texts.map((text) => `- ${text}`).join('\n');

function countsTable(groups: Document['groups']): string {
  const statuses = [...new Set(groups.flatMap(({ items }) => items.map(({ status }) => status)))].toSorted();
  return markdownTable(
    ['Section', ...statuses],
    groups.map(({ heading, items }) => [
      visible(heading),
      ...statuses.map((status) => String(items.filter((item) => item.status === status).length || '')),
    ]),
  );
}
