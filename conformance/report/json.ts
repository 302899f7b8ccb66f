import { asFile } from '../cli/result-file.ts';
import type { RunResult } from '../core/result.ts';

/** The whole result, for machines and for later reports; of several runs, a list. */
export function jsonReport(results: readonly RunResult[]): string {
  const [result, ...others] = results.map(asFile);
  return `${JSON.stringify(others.length > 0 ? [result, ...others] : result, null, 2)}\n`;
}
