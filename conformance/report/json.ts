import type { RunResult } from '../result.ts';

/** The whole result, for machines and for later reports; of several runs, a list. */
export function jsonReport([result, ...others]: readonly RunResult[]): string {
  return `${JSON.stringify(others.length > 0 ? [result, ...others] : result, null, 2)}\n`;
}
