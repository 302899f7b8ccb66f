import { type CompareResult, endingOfComparison } from '../compare/result.ts';
import type { Ending } from '../core/exit.ts';
import type { RunResult } from '../core/result.ts';
import { endingOfRun } from '../core/run-ending.ts';
import { endingOfFuzz, type FuzzResult } from '../fuzz/result.ts';
import { endingOfProxy, type ProxyResult } from '../proxy/result.ts';

/** The result of a command. results.json contains only this result, and every report is computed from it alone. */
export type Result = RunResult | FuzzResult | CompareResult | ProxyResult;

/** Returns the exit code of a command with its reasons. Each product decides its own; in each, code 5 takes precedence over all others. */
export function endingOf(result: Result): Ending {
  if (result.kind === 'run') return endingOfRun(result);
  if (result.kind === 'compare') return endingOfComparison(result);
  return result.kind === 'fuzz' ? endingOfFuzz(result) : endingOfProxy(result);
}
