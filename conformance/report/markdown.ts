import { byCause } from './causes.ts';
import type { Document } from './document.ts';
import { codeBlock, inlineCode, markdownTable, visible } from './escape.ts';
import { itemText } from './text.ts';

/** GitHub cuts a job summary at one megabyte. */
const mostItems = 100;

const marks: Readonly<Record<Document['tone'], string>> = { good: '✅', warning: '⚠️', bad: '❌' };

/** For a job summary: outcome, notices, failures, and a table of counts. */
export function markdownReport(document: Document, page?: string): string {
  const { title, tone, summary, suite, startedAt, notices, table, groups, end } = document;
  const items = groups.flatMap((group) => group.items);
  const prominent = byCause(items.filter(({ display }) => display !== 'verbose'));
  const blocks = prominent.slice(0, mostItems).map((alike) => {
    const [first] = alike;
    const names = alike.slice(1).map(({ name }) => name);
    return first ? codeBlock(itemText(first, page) + (names.length > 0 ? `  Also       ${names.join(', ')}\n` : '')) : '';
  });
  const parts = [
    `## ${marks[tone]} ${visible(title)}`,
    [`${inlineCode(suite)}, ${startedAt}`, ...summary.map(inlineCode)].map((line) => `- ${line}`).join('\n'),
    ...notices.map(({ label, text, lines = [] }) =>
      [`**${label}** ${visible(text)}`, ...lines.map((line) => `- ${inlineCode(line)}`)].join('\n'),
    ),
    ...(table && table.rows.length > 0
      ? [
          `### ${table.title}`,
          markdownTable(
            table.head,
            table.rows.map((row) => row.map(inlineCode)),
          ),
        ]
      : []),
    ...blocks,
    ...(prominent.length > mostItems ? [`… and ${prominent.length - mostItems} more.`] : []),
    ...(items.length > 0 ? [countsTable(groups)] : []),
    ...end.map(visible),
  ];
  return `${parts.join('\n\n')}\n`;
}

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
