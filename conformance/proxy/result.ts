import { clauseTexts } from '../core/contract.ts';
import type { FindingKind, ProxyResult } from '../core/result.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Kind, Tally } from './finding.ts';
import { jsonOf, type Seen } from './seen.ts';

/** What was gathered, from the first exchange to the last. */
export interface Gathered {
  readonly suite: string;
  readonly target: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly tally: Tally;
  readonly exchanges: number;
  /** Requests that got no answer of the target. */
  readonly lost: number;
  /** Requests that are none of the service. */
  readonly beside: number;
  /** Exchanges of the service with a body that was too large or too deep, or packed in a way that is not known here, or that could not be judged. */
  readonly unread: number;
  /** Exchanges that could not be judged, by a fault of the proxy itself. */
  readonly faults: number;
  /** By number, the exchanges that findings name. */
  readonly evidence: ReadonlyMap<number, Exchange>;
}

const kinds: Readonly<Record<Kind, FindingKind>> = {
  violated: 'violated',
  unexpected: 'violated',
  'cannot-tell': 'possible',
  client: 'client',
  open: 'open',
};

export function resultOf(gathered: Gathered): ProxyResult {
  const { suite, target, startedAt, finishedAt, tally, exchanges, lost, beside, unread, faults, evidence } = gathered;
  const named = new Set(tally.findings.flatMap((finding) => finding.exchanges));
  return {
    kind: 'proxy',
    suite,
    target,
    startedAt,
    finishedAt,
    onlyClient: tally.onlyClient,
    requests: exchanges,
    lost,
    notService: beside,
    unread,
    faults,
    held: [...clauseTexts.keys()].flatMap((clause) => {
      const times = tally.held.get(clause) ?? 0;
      return times > 0 ? [{ clause, times }] : [];
    }),
    findings: tally.findings.map((finding) => ({
      kind: kinds[finding.kind],
      ...(finding.clause === undefined ? {} : { clause: finding.clause }),
      what: finding.what,
      times: tally.timesOf(finding),
      exchanges: [...finding.exchanges],
    })),
    exchanges: [...evidence].filter(([n]) => named.has(n)).map(([n, exchange]) => ({ n, ...exchange })),
  };
}

/** As reports show it, which is no more of a body than people read. */
export function exchangeOf({ at, ms, method, path, key, body, status = 0, type = '', answer }: Seen): Exchange {
  const text = (value: Seen['body']) =>
    value.is === 'json' ? JSON.stringify(jsonOf(value)) : value.is === 'empty' ? '' : `(${value.is})`;
  return {
    at: new Date(at).toISOString(),
    ms,
    method,
    path,
    requestHeaders: key === undefined ? {} : { 'x-api-key': `«${key}»` },
    ...(body.is === 'empty' ? {} : { requestBody: text(body).slice(0, 4_000) }),
    status,
    contentType: type,
    body: text(answer).slice(0, 4_000),
  };
}
