import { listPath, shortList } from '../core/card-list.ts';
import { tryRead } from '../core/preflight.ts';
import type { RunResult } from '../core/result.ts';
import type { Session } from '../core/session.ts';
import { excerpt, formatCount } from '../core/text.ts';
import { Client } from '../http/client.ts';
import type { Answer } from '../http/exchange.ts';
import { realTime } from '../http/rate.ts';
import { Gate } from '../safety/gate.ts';

/** Why no baseline may be written: the run was not able to test the target. Sends the first request of the run once more. */
export async function unfitForBaseline({ interrupted, clauses }: RunResult, session: Session): Promise<string | undefined> {
  if (interrupted) return 'the run was interrupted';
  if (clauses.every(({ verdict }) => verdict === 'untested' || verdict === 'error')) return 'no clause was tested';
  const { exchanges } = session.client;
  if (!exchanges.some(({ status }) => isSuccess(status))) return 'no request succeeded';
  const now = await tryRead(session, () => listAgain(session));
  if (now.trouble !== undefined) return `at its end the target ${now.trouble.of}`;
  const first = exchanges.find(({ method, path }) => method === 'GET' && path.startsWith(listPath));
  if (!first || !isSuccess(first.status) || isSuccess(now.value.status)) return undefined;
  return `GET ${listPath} answered ${first.status} at the start of the run, and ${now.value.status} at its end`;
}

/** With a client of its own, because the budget of the run may be used up. */
async function listAgain({ target, redactor, client }: Session): Promise<Answer> {
  const another = new Client(target, redactor, realTime, new Gate(), client.rate);
  try {
    return await another.send(shortList);
  } finally {
    await another.close();
  }
}

const mostNames = 8;

/** Why no baseline was written, or which clauses it lacks; empty if it is complete. */
export function baselineRemark(file: string, unfit: string | undefined, { clauses }: RunResult): string {
  if (unfit !== undefined) return `No baseline was written to ${file}: ${excerpt(unfit, 400)}. Run again.\n`;
  const silent = clauses.filter(({ fault }) => fault === 'transport').map(({ name }) => name);
  if (silent.length === 0) return '';
  const more = silent.length > mostNames ? ` and ${silent.length - mostNames} more` : '';
  return `The baseline ${file} lacks ${formatCount(silent.length, 'clause')} without an answer: ${silent.slice(0, mostNames).join(', ')}${more}.\n`;
}

const isSuccess = (status: number) => status >= 200 && status < 300;
