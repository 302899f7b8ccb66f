import { clauseValues } from '../../openapi/generated/clauses.ts';
import type { Findings } from './findings.ts';
import { MINUTE, type Span } from './span.ts';

/** Requests per minute that are stated to be answered. */
const limit = clauseValues['limits.rate-admits'];
/** Milliseconds between the time a request is sent and the time the service counts it. */
const delay = 5_000;
const mostKept = 5_000;

interface Sent {
  readonly span: Span;
  readonly key: string | undefined;
  readonly status: number;
}

/** Counts requests per minute. Requests that are not of the service, and those without an answer, may count as well. */
export class Rate {
  readonly #sent: Sent[] = [];
  /** From when on all requests are known; the client may have sent others before. In milliseconds since 1970. */
  #since = Number.POSITIVE_INFINITY;

  record(sent: Sent): void {
    this.#since = Math.min(this.#since, sent.span.at);
    this.#sent.push(sent);
    if (this.#sent.length <= mostKept) return;
    for (const { span } of this.#sent.splice(0, mostKept / 2)) this.#since = Math.max(this.#since, span.at);
  }

  check({ span, key, status }: Sent, findings: Findings): void {
    const others = this.#sent.filter((each) => each.span.n !== span.n && each.span.began < span.ended);
    const sentSince = (time: number) => others.filter((each) => each.span.at > time);
    const since = span.at - MINUTE - delay;
    if (status === 429) {
      const { length } = sentSince(since);
      if (length >= limit - 1) findings.holds('limits.rate-refuses-excess');
      else if (since >= this.#since)
        findings.possible('limits.rate-admits', `Refused with 429 after ${length} requests in the minute before.`, span.n);
    } else if (status >= 200 && status < 300 && others.length >= limit - 1) {
      const answered = sentSince(span.at + span.ms - MINUTE + delay).filter(
        (each) => each.key === key && each.status > 0 && each.status !== 429,
      );
      if (answered.length >= limit - 1) findings.holds('limits.rate-admits');
    }
  }
}
