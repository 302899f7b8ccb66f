import { type Document, titleOf } from './document.ts';
import { codeBlock, visible } from './escape.ts';
import { textReport } from './text.ts';

/** Limits the size of the report, because GitHub shows at most one megabyte of a job summary. */
const mostCharacters = 250_000;

const marks: Readonly<Record<Document['tone'], string>> = { good: '✅', warning: '⚠️', bad: '❌' };

/** Renders the outcome as a heading, and the text report in a code block. */
export function markdownReport(document: Document, page?: string): string {
  const text = textReport(document, { page });
  const shown = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
  return `## ${marks[document.tone]} ${visible(titleOf(document))}\n\n${codeBlock(shown.trimEnd())}\n`;
}
