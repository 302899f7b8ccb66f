import { badge } from './badge.ts';
import { buildDocument } from './build-document.ts';
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
