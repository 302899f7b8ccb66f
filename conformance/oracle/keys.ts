import type { Docket } from '../proxy/finding.ts';
import { isUnread, type Seen } from '../proxy/seen.ts';
import type { SeenAccount } from './account.ts';
import { isBefore } from './span.ts';

/** What is stated of the key, whatever the request asks for. */
export function judgeKey(seen: Seen, account: SeenAccount | undefined, docket: Docket): void {
  const { status, key } = seen;
  if (status === undefined || seen.operation === undefined || seen.nearly || seen.otherKey) return;
  if (key === undefined) judgeMissing(seen, status, docket);
  else if (status >= 200 && status < 300) docket.holds('authentication.key-is-in-header');
  else if (status === 401) {
    if (account?.worked && isBefore(account.worked, seen))
      docket.contradicts(
        'authentication.key-is-in-header',
        `A key that was good for exchange ${account.worked.n} is refused; it may have been deleted, or the account's plan changed.`,
        account.worked.n,
        seen.n,
      );
    else docket.client('The key is refused with 401, and was never seen to work.', seen.n);
  }
}

/** A body that is too large, an exceeded rate and whatever else may be wrong with a request may be told first. */
function judgeMissing(seen: Seen, status: number, docket: Docket): void {
  if (status === 401) docket.holds('authentication.missing-key-is-401');
  else if (
    status < 500 &&
    status !== 429 &&
    status !== 413 &&
    !isUnread(seen.body) &&
    !isLarge(seen) &&
    !mayTellOther(seen, status)
  )
    docket.violates(
      'authentication.missing-key-is-401',
      `A request without a key to ${seen.path} is answered with ${status}.`,
      seen.n,
    );
}

/** Statuses of requests that cannot be read or name nothing that is there; nothing of that can be wrong with one that asks for nothing in particular. */
const otherwise = new Set([400, 404, 405, 406, 408, 409, 410, 411, 414, 415, 422, 431]);
const mayTellOther = ({ method, body, parameters, doubtful }: Seen, status: number) =>
  otherwise.has(status) && (method !== 'GET' || body.is !== 'empty' || doubtful === true || Object.keys(parameters).length > 0);

const MEBIBYTE = 1_048_576;
const isLarge = ({ body }: Seen) => body.is === 'json' && body.size > MEBIBYTE / 4;
