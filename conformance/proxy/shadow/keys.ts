import type { Docket } from '../finding.ts';
import { isUnread, type Seen } from '../seen.ts';
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

/** A body that is too large and an exceeded rate may be told first. */
function judgeMissing(seen: Seen, status: number, docket: Docket): void {
  if (status === 401) docket.holds('authentication.missing-key-is-401');
  else if (status < 500 && status !== 429 && status !== 413 && !isUnread(seen.body) && !isLarge(seen))
    docket.violates(
      'authentication.missing-key-is-401',
      `A request without a key to ${seen.path} is answered with ${status}.`,
      seen.n,
    );
}

const MEBIBYTE = 1_048_576;
const isLarge = ({ body }: Seen) => body.is === 'json' && body.size > MEBIBYTE / 4;
