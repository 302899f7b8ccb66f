import { clauseValues } from '../../openapi/generated/clauses.ts';
import type { Docket } from '../proxy/finding.ts';
import type { Seen } from '../proxy/seen.ts';
import { MINUTE } from './span.ts';

/** Requests per minute that the service lets through in any case. */
const RATE = clauseValues['limits.rate-admits'];
/** What the service counts is when it got them. */
const SLACK = 5_000;
const WINDOW = MINUTE + SLACK;
const mostKept = 5_000;

/** Counts what is sent, because nobody may be refused for the rate who asks no more than that. */
export class Rate {
  #sent: Seen[] = [];
  /** Since when all is known that was sent; a client may have been there before this proxy. */
  #since = Number.POSITIVE_INFINITY;

  /** What gets no answer counts as well, and so may what is none of the service. */
  learn(seen: Seen): void {
    if (seen.lost?.unsent) return;
    if (this.#since === Number.POSITIVE_INFINITY) this.#since = seen.at;
    this.#sent.push(seen);
    if (this.#sent.length > mostKept)
      for (const { at } of this.#sent.splice(0, mostKept / 2)) this.#since = Math.max(this.#since, at);
  }

  judge(seen: Seen, docket: Docket): void {
    if (!seen.own || seen.status === undefined) return;
    if (seen.status === 429) {
      const since = seen.at - WINDOW;
      const others = this.#sent.filter(({ n, at, began }) => n !== seen.n && at > since && began < seen.ended).length;
      if (others >= RATE - 1) docket.holds('limits.rate-refuses-excess');
      else if (since >= this.#since)
        docket.contradicts(
          'limits.rate-admits',
          `Refused with 429, and only ${others} requests passed in the minute before.`,
          seen.n,
        );
    } else if (seen.status < 300 && this.#isLast(seen)) docket.holds('limits.rate-admits');
  }

  /** Whether with this one as many were answered within a minute as may pass, to one key. */
  #isLast(seen: Seen): boolean {
    if (this.#sent.length < RATE) return false;
    const since = seen.at + seen.ms - (MINUTE - SLACK);
    const isAnswered = ({ at, own, key, status = 429, ended }: Seen) =>
      own && key === seen.key && status !== 429 && at > since && ended <= seen.ended;
    return this.#sent.filter(isAnswered).length >= RATE;
  }
}
