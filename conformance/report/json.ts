import type { RunResult } from '../result.ts';

/** The whole result, for machines and for later reports. */
export function jsonReport(result: RunResult): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}
