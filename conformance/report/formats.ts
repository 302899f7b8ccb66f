import { tally } from '../core/text.ts';
import { buildDocument } from './build-document.ts';
import type { Document } from './document.ts';
import { escapeHtml } from './escape.ts';
import { htmlReport } from './html.ts';
import { junitReport } from './junit.ts';
import type { Result } from './result.ts';
import { resultJson } from './result-file.ts';
import { markdownReport, type TextOptions, textReport } from './text.ts';

interface Format {
  /** The file's name in the folder of --out. */
  readonly file: string;
  readonly render: (results: readonly Result[], options: RenderOptions) => string;
}

interface RenderOptions extends TextOptions {
  /** The names of several results. */
  readonly names?: readonly string[] | undefined;
}

export type FormatName = keyof typeof reportFormats;

export const reportFormats = {
  text: { file: 'report.txt', render: (results, options) => textReport(buildDocument(results), options) },
  json: { file: 'results.json', render: (results) => resultJson(results) },
  junit: { file: 'junit.xml', render: (results, { page }) => junitReport(buildDocument(results), page) },
  markdown: { file: 'report.md', render: (results, { page }) => markdownReport(buildDocument(results), page) },
  html: {
    file: 'report.html',
    render: (results, { names }) =>
      htmlReport(
        results.map((each) => buildDocument([each])),
        names,
      ),
  },
  badge: { file: 'badge.svg', render: (results) => badge(buildDocument(results)) },
} as const satisfies Record<string, Format>;

/** White text on each color has a contrast of at least 4.5 to 1. */
const colors: Readonly<Record<Document['tone'], string>> = { good: '#2a7d3f', warning: '#8a6100', bad: '#b3261e' };

/** Renders the outcome and its first count as an SVG badge. For several results, renders the number of each outcome. */
export function badge({ outcomes, tone }: Document): string {
  const [{ word, title } = { word: '', title: '' }, ...others] = outcomes;
  const message = others.length > 0 ? tally(outcomes.map((each) => each.word)) : `${word} · ${title.split(' · ', 1)[0]}`;
  const label = 'gift card conformance';
  const [left, right] = [widthOf(label) + 10, widthOf(message) + 10];
  const text = (value: string, x: number) => `<text x="${x}" y="14" textLength="${widthOf(value)}">${escapeHtml(value)}</text>`;
  const whole = escapeHtml(`${label}: ${message}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${whole}"><title>${whole}</title>
<rect width="${left + right}" height="20" rx="3" fill="${colors[tone]}"/>
<path d="M3 0h${left - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#4a4f57"/>
<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${text(label, 5)}${text(message, left + 5)}</g></svg>
`;
}

/** Estimates the width in Verdana of 11 pixels. `textLength` gives a text this width in every font. */
const widthOf = (value: string): number =>
  Math.round([...value].reduce((sum, c) => sum + (/[ .,:;·'()ijlftr1]/.test(c) ? 4.2 : 6.9), 0));
