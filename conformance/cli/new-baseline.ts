import { listPath, shortList } from '../core/card-list.ts';
import { counted } from '../core/counted.ts';
import { looked } from '../core/preflight.ts';
import type { RunResult } from '../core/result.ts';
import type { Session } from '../core/session.ts';
import { Client } from '../http/client.ts';
import { excerpt } from '../http/excerpt.ts';
import type { Answer } from '../http/exchange.ts';
import { realTime } from '../http/rate.ts';
import { Gate } from '../safety/gate.ts';

/** Why a run could not judge, so that what failed in it is not to be excused, as a part of a sentence; for that it asks once more what the run began with. */
export async function unfitForBaseline({ interrupted, clauses }: RunResult, session: Session): Promise<string | undefined> {
  if (interrupted) return 'the run was broken off';
  if (clauses.every(({ verdict }) => verdict === 'untested' || verdict === 'error')) return 'nothing was judged';
  const { exchanges } = session.client;
  if (!exchanges.some(({ status }) => isSuccess(status))) return 'the target answered nothing with success';
  const now = await looked(session, () => askedOnceMore(session));
  if (now.trouble !== undefined) return `at its end the target ${now.trouble.of}`;
  const [first] = exchanges.filter(({ method, path }) => method === 'GET' && path.startsWith(listPath));
  if (!first || !isSuccess(first.status) || isSuccess(now.value.status)) return undefined;
  return `the target answered GET ${listPath} with ${first.status} when the run began, and with ${now.value.status} when it ended`;
}

/** By a client of its own, for the run is over: its budget does not hold this back, and that it was refused for the rate is waited out. */
async function askedOnceMore({ target, names, client }: Session): Promise<Answer> {
  const another = new Client(target, names, realTime, new Gate(), client.rate);
  try {
    return await another.send(shortList);
  } finally {
    await another.close();
  }
}

const mostNames = 8;

/** That no baseline was written, and why, or what is not in it; nothing where it has all that does not hold. */
export function baselineTold(file: string, unfit: string | undefined, { clauses }: RunResult): string {
  if (unfit !== undefined)
    return `No baseline was written to ${file}: ${excerpt(unfit, 400)}. Nothing is excused by such a run; repeat it for one.\n`;
  const silent = clauses.filter(({ fault }) => fault === 'transport').map(({ name }) => name);
  if (silent.length === 0) return '';
  const more = silent.length > mostNames ? ` and ${silent.length - mostNames} more` : '';
  return `The baseline ${file} has nothing of ${counted(silent.length, 'clause')} that got no answer: ${silent.slice(0, mostNames).join(', ')}${more}.\n`;
}

const isSuccess = (status: number) => status >= 200 && status < 300;
