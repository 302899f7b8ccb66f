import type { RunResult } from '../core/result.ts';
import { excerpt } from '../http/excerpt.ts';
import { documentOf } from '../report/build-document.ts';
import { textReport } from '../report/text.ts';

/** The report of the run, and where the file is; without a file, it could not be written. */
export function learnedTold(result: RunResult, leftOut: readonly string[], file: string | undefined): string {
  const seen = result.clauses.filter(({ observation }) => observation).length;
  const conflicts = leftOut.map((sentence) => `Left out: ${excerpt(sentence, 400)}\n`).join('');
  const end =
    file === undefined ? 'No file was written.' : `${file} has ${seen} observations. Try: giftcard-sandbox mock --facts ${file}`;
  return `${textReport(documentOf([result]), { verbose: true })}${conflicts}${end}\n`;
}
