import { preflight } from '../core/preflight.ts';
import type { RunResult } from '../core/result.ts';
import type { Session } from '../core/session.ts';
import { excerpt, formatCount } from '../core/text.ts';
import { Client } from '../http/client.ts';
import { realTime } from '../http/rate.ts';
import { Gate } from '../safety/gate.ts';

/** Why no baseline may be written: the run was not able to test the target. Sends one more GET. */
export async function unfitForBaseline(
  { interrupted, clauses }: RunResult,
  { target, redactor, client }: Session,
): Promise<string | undefined> {
  if (interrupted) return 'The run was interrupted.';
  if (clauses.every(({ verdict }) => verdict === 'untested' || verdict === 'error')) return 'No clause was tested.';
  if (!client.exchanges.some(({ status }) => status >= 200 && status < 300)) return 'No request succeeded.';
  // The budget of the run may be used up, so this request has a client of its own.
  const another = new Client(target, redactor, realTime, new Gate(), client.rate);
  return preflight({ target, client: another }).finally(() => another.close());
}

const mostNames = 8;

/** Why no baseline was written, or which clauses it lacks; empty if it is complete. */
export function baselineRemark(file: string, unfit: string | undefined, { clauses }: RunResult): string {
  if (unfit !== undefined) return `No baseline was written to ${file}. ${excerpt(unfit, 400)} Run again.\n`;
  const silent = clauses.filter(({ fault }) => fault === 'transport').map(({ name }) => name);
  if (silent.length === 0) return '';
  const more = silent.length > mostNames ? ` and ${silent.length - mostNames} more` : '';
  return `The baseline ${file} lacks ${formatCount(silent.length, 'clause')} without an answer: ${silent.slice(0, mostNames).join(', ')}${more}.\n`;
}
