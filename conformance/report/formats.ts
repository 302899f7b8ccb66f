import type { Result } from '../core/result.ts';
import { badge } from './badge.ts';
import { documentOf } from './build-document.ts';
import { htmlReport } from './html.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { resultJson } from './result-file.ts';
import { type TextOptions, textReport } from './text.ts';

interface Format {
  /** The file's name in the folder of --out. */
  readonly file: string;
  readonly render: (results: readonly Result[], options: RenderOptions) => string;
}

interface RenderOptions extends TextOptions {
  /** The names of several results. */
  readonly names?: readonly string[] | undefined;
}

export type FormatName = keyof typeof formats;

export const formats = {
  text: { file: 'report.txt', render: (results, options) => textReport(documentOf(results), options) },
  json: { file: 'results.json', render: (results) => resultJson(results) },
  junit: { file: 'junit.xml', render: (results, { page }) => junitReport(documentOf(results), page) },
  markdown: { file: 'report.md', render: (results, { page }) => markdownReport(documentOf(results), page) },
  html: {
    file: 'report.html',
    render: (results, { names }) =>
      htmlReport(
        results.map((each) => documentOf([each])),
        names,
      ),
  },
  badge: { file: 'badge.svg', render: (results) => badge(documentOf(results)) },
} as const satisfies Record<string, Format>;
