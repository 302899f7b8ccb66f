import type { Docket } from '../finding.ts';
import { isUnread, type Seen } from '../seen.ts';
import type { SeenAccount } from './account.ts';
import { isBefore, MINUTE } from './span.ts';

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

/** A request per minute that the service lets through in any case. */
const RATE = 200;
/** Counts what passes, because nobody may be refused for the rate who asks no more than that. */
export class Rate {
  /** When the last so many requests were sent, in a ring. */
  readonly #last: number[] = [];
  #next = 0;

  judge(seen: Seen, docket: Docket): void {
    if (!seen.own || seen.status === undefined) return;
    // Some seconds more than a minute, because what the service counts is when it got them.
    const since = seen.at - MINUTE - 5_000;
    if (seen.status === 429) {
      const before = this.#last.filter((at) => at > since).length;
      if (before >= RATE - 1) docket.holds('limits.rate-refuses-excess');
      else
        docket.contradicts(
          'limits.rate-admits',
          `Refused with 429, and only ${before} requests passed in the minute before.`,
          seen.n,
        );
    } else if (seen.status < 300) docket.holds('limits.rate-admits');
    this.#last[this.#next] = seen.at;
    this.#next = (this.#next + 1) % RATE;
  }
}
