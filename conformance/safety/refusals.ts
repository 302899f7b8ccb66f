import { operations } from '../core/operations.ts';
import type { Exchange } from '../http/exchange.ts';
import { isMissing, isRefusal } from './cleanup-requests.ts';
import type { Entry } from './entries.ts';

/** What a refusal proves where no look says whether what was asked for is there, and why something is left. */

/**
 * Whether how a run was refused proves by itself that nothing was made: a key that opens nothing makes nothing, and an endpoint that is not there does not
 * either. A faulty server may refuse and make all the same where the key and the endpoint work, so that there only a look is proof.
 */
export function isProof(refusal: Exchange | undefined, all: readonly Exchange[]): boolean {
  if (!refusal) return false;
  const succeeded = all.filter(({ status, elsewhere }) => status >= 200 && status < 300 && elsewhere === undefined);
  if (refusal.status === 401 || refusal.status === 403) {
    const key = keyOf(refusal);
    return key === undefined || !succeeded.some((each) => keyOf(each) === key);
  }
  return isMissing(refusal.status) && !succeeded.some((each) => operationOf(each) === operationOf(refusal));
}

/** Whether what was refused would have to be looked for by what is not there either: a service without a list of webhooks that refuses a webhook has none. */
export function lookIsMissing({ made, answered = 0 }: Entry, asked: readonly Exchange[]): boolean {
  const looks = asked.filter(({ method }) => method === 'GET');
  const isRefused = isRefusal(answered) || isMissing(answered);
  return !made && isRefused && looks.length > 0 && looks.every(({ status }) => isMissing(status));
}

/** What was answered when it was asked for, and which look or deletion failed. `cameBetween` where that had no answer of the service. */
export function whyLeft({ made, answered }: Entry, asked: readonly Exchange[], cameBetween: boolean): string {
  const failed = asked.findLast(({ status }) => status < 200 || status >= 300);
  const last = failed ?? asked.at(-1);
  const looked = last && `${operationOf(last)} answered ${last.status}`;
  return [
    made ? 'it was made' : answered === undefined ? 'asking for it had no answer' : `asking for it was answered ${answered}`,
    looked ?? (cameBetween ? 'looking for it had no answer' : 'no look shows whether it is there'),
  ].join(', and ');
}

/** A sentence for each reason, with what is left for it. */
export function leftBecause(entries: readonly Entry[]): string[] {
  const left = entries.filter(({ state }) => state === 'left');
  const named = (why: string) =>
    left.filter((entry) => entry.why === why).map((entry) => (entry.kind === 'card' ? entry.name : `${entry.what} ${entry.url}`));
  return [...new Set(left.flatMap(({ why }) => why ?? []))].map((why) => {
    const [first, ...others] = named(why);
    return `${first}${others.length > 0 ? ` and ${others.length} more` : ''}: ${why}`;
  });
}

/** An operation as the contract has it, because a path has codes in it; what the contract has not, by its path. */
function operationOf({ method, path }: Exchange): string {
  const [bare = ''] = path.split('?');
  const known = operations.find((each) => each.method === method && each.exactly.test(bare));
  return `${method} ${known?.path ?? bare}`;
}

const keyOf = ({ requestHeaders }: Exchange): string | undefined => requestHeaders['x-api-key'];
