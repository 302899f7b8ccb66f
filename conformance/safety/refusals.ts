import { operations } from '../core/operations.ts';
import type { Exchange } from '../http/exchange.ts';
import { isMissing, isRefusal } from './cleanup-requests.ts';
import type { Entry } from './entries.ts';

/** Whether the answer to a creation proves that nothing was created: its key was refused, and has never worked in this run. */
export function isKeyNeverAccepted(refusal: Exchange | undefined, all: readonly Exchange[]): boolean {
  if (refusal?.status !== 401 && refusal?.status !== 403) return false;
  const key = keyOf(refusal);
  const hasWorked = ({ status, elsewhere }: Exchange) => status >= 200 && status < 300 && elsewhere === undefined;
  return key === undefined || !all.some((each) => hasWorked(each) && keyOf(each) === key);
}

/** Whether the look-up for a refused entry does not exist either: a service without webhooks refuses one and has no list of them. */
export function isWholeLookupMissing({ made, answered = 0 }: Entry, requests: readonly Exchange[]): boolean {
  const looks = requests.filter(({ method }) => method === 'GET');
  const isRefused = isRefusal(answered) || isMissing(answered);
  return !made && isRefused && looks.length > 0 && looks.every(({ status }) => isMissing(status));
}

/** Why an entry is left: the answer to its creation, and the look-up or deletion that failed. */
export function reasonLeft({ made, answered }: Entry, requests: readonly Exchange[], interrupted: boolean): string {
  const failed = requests.findLast(({ status }) => status < 200 || status >= 300);
  const last = failed ?? requests.at(-1);
  const looked = last && `${operationOf(last)} answered ${last.status}`;
  return [
    made ? 'it was created' : answered === undefined ? 'its creation had no answer' : `its creation answered ${answered}`,
    looked ?? (interrupted ? 'the look-up had no answer' : 'no look-up shows whether it exists'),
  ].join(', and ');
}

/** One sentence for each reason, with the entries left for it. */
export function leftBecause(entries: readonly Entry[]): string[] {
  const left = entries.filter(({ state }) => state === 'left');
  const named = (why: string) =>
    left.filter((entry) => entry.why === why).map((entry) => (entry.kind === 'card' ? entry.name : `${entry.what} ${entry.url}`));
  return [...new Set(left.flatMap(({ why }) => why ?? []))].map((why) => {
    const [first, ...others] = named(why);
    return `${first}${others.length > 0 ? ` and ${others.length} more` : ''}: ${why}`;
  });
}

/** The operation's path in the contract, because a real path contains codes. */
function operationOf({ method, path }: Exchange): string {
  const [bare = ''] = path.split('?');
  const known = operations.find((each) => each.method === method && each.exactly.test(bare));
  return `${method} ${known?.path ?? bare}`;
}

const keyOf = ({ requestHeaders }: Exchange): string | undefined => requestHeaders['x-api-key'];
