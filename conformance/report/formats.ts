import { UsageError } from '../../command-line/usage-error.ts';
import type { RunResult } from '../core/result.ts';
import type { Evidence } from './failure.ts';
import { htmlReport } from './html/page.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { letterOf, matrixText } from './matrix.ts';
import { textReport } from './text.ts';

interface Format {
  /** What its file is called. */
  readonly file: string;
  readonly render: (results: readonly RunResult[], evidence: Evidence) => string;
}

export type FormatName = 'text' | 'json' | 'junit' | 'markdown' | 'html';

/** Every report is a pure function of results. */
export const formats: Readonly<Record<FormatName, Format>> = {
  text: {
    file: 'report.txt',
    render: (results, evidence) => {
      if (results.length === 1) return results.map((result) => textReport(result, evidence)).join('');
      const each = results.map((result, at) => `═══ ${letterOf(at)}  ${result.target}\n\n${textReport(result, evidence)}`);
      return [matrixText(results), ...each].join('\n');
    },
  },
  json: { file: 'results.json', render: jsonReport },
  junit: { file: 'junit.xml', render: junitReport },
  markdown: { file: 'report.md', render: markdownReport },
  html: { file: 'report.html', render: htmlReport },
};

/** Those of the known forms that are named, each once. Throws UsageError for a name that is none. */
export function formatNames<F extends string>(names: readonly string[], known: Readonly<Record<F, unknown>>): F[] {
  return [...new Set(names)].map((name) => {
    if (Object.hasOwn(known, name)) return name as F;
    throw new UsageError(`Unknown reporter "${name}". Known are ${Object.keys(known).join(', ')}.`);
  });
}
